import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { amount, equalAtQuotePrecision, sum, toText } from '#money';
import { decide } from './decide.ts';
import { evolve } from './evolve.ts';
import type { AcceptDeposit, DepositCommand } from './floor/commands.ts';
import type { DepositEvent } from './floor/events.ts';
import { keyOf } from './floor/payment.ts';
import { type Deposit, type DepositState, initialState } from './floor/state.ts';
import { isAcceptable } from './standing/acceptable.ts';
import { isPaidUnconfirmed } from './standing/status.ts';
import { unfundedOf } from './standing/unfunded.ts';
import { withheldOf, withholdingsOf } from './standing/withheld.ts';
import { commandOf, kindsOfCommand, openings } from './testing/arbitrary.ts';
import { accept, money } from './testing/commands.ts';
import { eventsOf, fold } from './testing/given.ts';

const dice = fc.record({
  what: fc.nat(kindsOfCommand - 1),
  payment: fc.nat(6),
  amount: fc.nat(6),
  minutes: fc.constantFrom(1, 2, 10, 29, 30, 31, 40),
  flag: fc.boolean(),
  signalId: fc.nat(400),
});

const lives = fc.tuple(fc.constantFrom(...openings), fc.array(dice, { minLength: 5, maxLength: 60 }));

type Step = {
  readonly before: Deposit;
  readonly command: DepositCommand;
  readonly events: readonly DepositEvent[];
  readonly after: Deposit;
};

const issuedDeposit = (state: DepositState): Deposit => {
  if (state.stage === 'none') throw new Error('no quote was issued');
  return state;
};

const live = (opening: DepositCommand, throws: readonly Parameters<typeof commandOf>[0][]): readonly Step[] => {
  let before = issuedDeposit(fold(eventsOf(decide(initialState, opening))));
  return throws.map((thrown) => {
    const command = commandOf(thrown);
    const events = eventsOf(decide(before, command));
    const step = { before, command, events, after: issuedDeposit(fold(events, before)) };
    before = step.after;
    return step;
  });
};

const everyStep = (
  mustHold: (step: Step) => void,
  parameters: { readonly seed?: number; readonly numRuns?: number } = {},
): void =>
  fc.assert(
    fc.property(lives, ([opening, throws]) => live(opening, throws).forEach(mustHold)),
    { numRuns: 250, ...parameters },
  );

/** The accept gates of the interface, said once more and otherwise than the core says them. */
const acceptAllowed = ({ standing: s, terms, quotedCrypto }: Deposit, command: AcceptDeposit): boolean => {
  const paid = ['Succeed', 'Overpaid', 'Underpaid'].includes(s.status);
  const status = s.status.startsWith('Confirmed') || (terms.noConf && s.noConfState === 'eligible' && paid);
  const screened = ['clear', 'timed_out'].includes(s.ofacStatus);
  const instant = terms.instant && s.kytStatus === 'pending' && !s.instantDowngraded;
  const equal = equalAtQuotePrecision(amount(s.confirmedCrypto ?? '0'), amount(quotedCrypto));
  const asQuoted = equal && !s.latePayment;
  const repriced = command.adjustToReceived && (!s.latePayment || command.currentRate !== 'unavailable');
  return (
    status &&
    s.noConfState !== 'double_spent' &&
    screened &&
    (s.kytStatus === 'passed' || instant) &&
    (asQuoted || repriced)
  );
};

const returnAllowed = ({ standing: s }: Deposit): boolean =>
  s.status === 'Confirmed' && s.kytStatus === 'passed' && ['clear', 'timed_out'].includes(s.ofacStatus);

const freezeAllowed = ({ standing: s }: Deposit): boolean => s.kytStatus === 'passed';

const decisionAllowed = ({ before, command, after }: Step): boolean => {
  if (command.type === 'AcceptDeposit') return acceptAllowed(before, command);
  if (command.type === 'ReturnDeposit') return returnAllowed(before) && command.returnAddress !== null;
  if (command.type === 'FreezeDeposit') return freezeAllowed(before);
  return (
    after.standing.decision === 'frozen' &&
    (after.standing.ofacStatus === 'hit' || after.standing.kytStatus === 'failed')
  );
};

const moneyOf = ({ amounts, standing }: Deposit) => ({
  amounts,
  confirmed: standing.confirmedCrypto,
  late: standing.latePayment,
});

describe('whatever happens to a deposit, in any order, repeated or interleaved', () => {
  it('there is one decision at most, and none that a gate forbids', () => {
    everyStep((step) => {
      const { before, after } = step;
      if (before.standing.decision !== 'pending') {
        expect(after.standing.decision).toBe(before.standing.decision);
        expect(after.standing.decisionAt).toBe(before.standing.decisionAt);
      } else if (after.standing.decision !== 'pending') expect(decisionAllowed(step)).toBe(true);
    });
  });

  it('nothing but a payment that is seen has an unpaid fast deposit in flight that may be credited', () => {
    everyStep(({ before, after, events: [event] }) => {
      if (!isPaidUnconfirmed(after.standing.status) || isPaidUnconfirmed(before.standing.status)) return;
      if (event?.type !== 'PaymentSeen')
        expect(['fell_back', 'double_spent', null]).toContain(after.standing.noConfState);
    });
  });

  it('every kind of decision does come about', () => {
    const met = new Set<string>();
    everyStep(
      ({ command, before, after }) => {
        if (before.standing.decision !== after.standing.decision) met.add(`${command.type} ${after.standing.decision}`);
      },
      { seed: 1, numRuns: 1000 },
    );
    expect([...met].sort()).toEqual([
      'AcceptDeposit accepted',
      'FreezeDeposit frozen',
      'ReturnDeposit returned',
      'ReviewKyt frozen',
      'kyt.completed frozen',
      'ofac.completed frozen',
    ]);
  });

  it('what is applied is one event; what is refused, set aside or a duplicate leaves the deposit as it was', () => {
    everyStep(({ before, command, events, after }) => {
      expect(events).toHaveLength(decide(before, command).outcome === 'applied' ? 1 : 0);
      if (events.length === 0) expect(after).toEqual(before);
    });
  });

  it('the same signal twice changes nothing', () => {
    everyStep(({ before, command, after }) => {
      if (!('signalId' in command)) return;
      const first = decide(before, command);
      expect(decide(after, command)).toEqual(first.outcome === 'applied' ? { outcome: 'duplicate' } : first);
    });
  });

  it('nobody but an operator makes passed of a review of senders that nobody can name', () => {
    let ended = 0;
    everyStep(
      ({ before, command, after }) => {
        if (before.unknownSendersOf.length === 0 || after.standing.kytStatus !== 'passed') return;
        expect(command.type).toBe('ReviewKyt');
        ended += 1;
      },
      { seed: 1, numRuns: 1000 },
    );
    expect(ended).toBeGreaterThan(0);
  });

  it('after a decision no money field and no received amount changes any more', () => {
    everyStep(({ before, after }) => {
      if (before.standing.decision !== 'pending') expect(moneyOf(after)).toEqual(moneyOf(before));
    });
  });

  it('replaying any prefix, read back from JSON, gives the state that was folded step by step', () => {
    fc.assert(
      fc.property(lives, ([opening, throws]) => {
        const history = [...eventsOf(decide(initialState, opening))];
        for (const { events, after } of live(opening, throws)) {
          history.push(...events);
          expect(fold(JSON.parse(JSON.stringify(history)))).toEqual(after);
        }
      }),
    );
  });

  it('the received amount is the sum of what counts, and the snapshot is that of the standing', () => {
    everyStep(({ after }) => {
      const { counted, confirmedCrypto, acceptable, returnUnfundedBecause } = after.standing;
      const counting = after.payments.filter((payment) => counted.includes(keyOf(payment)));
      const total = counting.length > 0 ? toText(sum(counting.map((payment) => amount(payment.amount)))) : null;
      expect(confirmedCrypto).toBe(total);
      expect(acceptable).toBe(isAcceptable(after));
      expect(returnUnfundedBecause).toBe(unfundedOf(after));
    });
  });

  it('a settlement is released by a release alone, and stays so until something else speaks against it', () => {
    const against = (deposit: Deposit) => withholdingsOf({ ...deposit, settlementReleased: [] });
    let stayed = 0;
    everyStep(
      ({ before, command, after }) => {
        expect(after.standing.settlementWithheld).toBe(withheldOf(after));
        if (after.standing.settlementWithheld !== 'released' || command.type === 'ReleaseSettlement') return;
        expect(before.standing.settlementWithheld).toBe('released');
        expect(against(before)).toEqual(expect.arrayContaining([...against(after)]));
        stayed += 1;
      },
      { seed: 1, numRuns: 1000 },
    );
    expect(stayed).toBeGreaterThan(0);
  });

  it('acceptable tells whether an accept that re-prices goes through, within the limits the interface names', () => {
    everyStep(({ after }) => {
      const outcome = decide(after, accept({ adjustToReceived: true, currentRate: money('50') }));
      const refusal = outcome.outcome === 'refused' ? outcome.refusal.refusal : 'none';
      const limits = ['none', 'instant_received_over_cap', 'late_payment_no_received_amount', 'amount_mismatch'];
      const unvalued = after.terms.instant && after.standing.receivedUsd === null;
      if (after.standing.acceptable) expect(limits).toContain(refusal);
      else if (!unvalued) expect(refusal).not.toBe('none');
    });
  });

  it('folding never fails, whatever events come, in whatever order', () => {
    fc.assert(
      fc.property(lives, fc.infiniteStream(fc.nat()), ([opening, throws], order) => {
        const events = live(opening, throws).flatMap((step) => step.events);
        const shuffled = events
          .map((event) => ({ event, rank: order.next().value ?? 0 }))
          .sort((a, b) => a.rank - b.rank);
        expect(() => shuffled.map(({ event }) => event).reduce(evolve, initialState)).not.toThrow();
      }),
    );
  });
});
