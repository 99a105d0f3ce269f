import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { EngineSignal } from '#deposits/floor';
import { amount, decimalText, sum, toText } from '#money';
import {
  decideCancel,
  decideSettle,
  decideTransactionSignal,
  evolveTransaction,
  initialTransaction,
  type LegacyTransaction,
  priceTransaction,
  type TransactionState,
  transactionView,
} from './index.ts';
import { given, minute, signal, started } from './testing/index.ts';

const cancelled = (transaction: LegacyTransaction) => {
  const decided = decideCancel(transaction, minute(2));
  if (decided.outcome !== 'applied') throw new Error('not cancelled');
  return decided.events;
};

const when = (transaction: LegacyTransaction, sent: EngineSignal) => {
  const decided = decideTransactionSignal(transaction, sent);
  const events = decided.outcome === 'applied' ? decided.events : [];
  const after = events.reduce<TransactionState>(evolveTransaction, transaction);
  if (after.stage === 'none') throw new Error('it is gone');
  return { outcome: decided.outcome, types: events.map(({ type }) => type), after, ...after.standing };
};

const seen = (fields: Parameters<typeof signal<'payment.seen'>>[1] = {}) => signal('payment.seen', fields);
const confirmed = (txid = 'tx') => signal('payment.confirmed', { txid });

describe('a transaction that is started', () => {
  it('asks for usd / market rate, rounded up to 8 decimals, without fees', () => {
    const { terms } = given(started({ usdAmount: decimalText('10'), marketRate: decimalText('30') }));
    expect(terms.cryptoAmount).toBe('0.33333334');
    expect(terms.timesOutAt).toBe(minute(15));
  });

  it('is refused without a rate', () => {
    const { terms } = given(started());
    expect(priceTransaction({ ...terms, currency: 'MARS', marketRate: 'unavailable', now: minute(0) })).toEqual({
      outcome: 'refused',
      refusal: { refusal: 'no_rate', currency: 'MARS' },
    });
  });

  it('is refused for more coins than can be counted', () => {
    const { terms } = given(started());
    const asked = { ...terms, marketRate: decimalText('1'), now: minute(0) };
    expect(priceTransaction({ ...asked, usdAmount: decimalText('90071992.54740992') })).toMatchObject({
      refusal: { refusal: 'amount_out_of_range' },
    });
    expect(priceTransaction({ ...asked, usdAmount: decimalText('90071992.54740991') })).toMatchObject({
      outcome: 'priced',
    });
  });

  it('is shown with what was agreed', () => {
    expect(transactionView(given(started()))).toEqual({
      transaction_id: 7,
      description: 'order 12',
      wallet_address: 'address of 7',
      crypto_amount: 0.002,
      usd_amount: 100,
      created_at: minute(0),
      label: 'order 12',
      crypto_currency: 'BTC',
      status: 'Started',
    });
  });
});

describe('the table of statuses', () => {
  it('Started, money seen: Pending', () => {
    const { status, confirmedCrypto, flags } = when(given(started()), seen());
    expect([status, confirmedCrypto, flags]).toEqual(['Pending', '0.002', []]);
  });

  it('Started, 15 minutes: Timedout, and the signal of any other status is ignored', () => {
    const transaction = given(started());
    expect(when(transaction, signal('quote.expired')).status).toBe('Timedout');
    for (const other of [seen(), signal('quote.expired')])
      expect(when(given(started(), other), signal('quote.expired')).outcome).toBe('ignored');
  });

  it('Started, cancel: Cancelled; from anywhere else it comes too late', () => {
    const transaction = given(started());
    const gone = given(started(), ...cancelled(transaction));
    expect(gone.standing.status).toBe('Cancelled');
    const others = [gone, given(started(), seen()), given(started(), signal('quote.expired'))];
    for (const other of others)
      expect(decideCancel(other, minute(3))).toEqual({
        outcome: 'refused',
        refusal: { refusal: 'wrong_status', status: other.standing.status },
      });
  });

  it('Timedout or Cancelled, money seen late: Pending, flagged for the operator', () => {
    const late = { status: 'Pending', flags: ['late_payment'] };
    expect(when(given(started(), signal('quote.expired')), seen({ at: minute(20) }))).toMatchObject(late);
    expect(when(given(started(), ...cancelled(given(started()))), seen())).toMatchObject(late);
  });

  it('is flagged too where the timer was slower than the money', () => {
    expect(when(given(started()), seen({ at: minute(16) })).flags).toEqual(['late_payment']);
    expect(when(given(started()), seen({ at: minute(15) })).flags).toEqual([]);
  });

  it('is flagged too whatever came in time: one unit keeps no price for ever', () => {
    const dust = given(started(), seen({ amount: '0.00000001' }));
    const late = given(
      started(),
      seen({ amount: '0.00000001' }),
      seen({ txid: 'late', at: minute(16) }),
      confirmed('late'),
    );
    expect(when(dust, signal('quote.expired')).flags).toEqual([]);
    expect(late.standing).toMatchObject({ status: 'Succeeded', flags: ['late_payment'] });
  });

  it('what is told as confirmed is so, then and when it succeeds; what is confirmed later is flagged', () => {
    const one = [started(), seen({ amount: '0.0001' }), seen({ txid: 'b', amount: '5' })];
    expect(given(...one).standing).toMatchObject({ status: 'Pending', confirmedCrypto: '5.0001' });
    expect(given(...one, confirmed()).standing).toMatchObject({ status: 'Confirmed', confirmedCrypto: '0.0001' });
    const paid = [started(), seen(), seen({ txid: 'b', amount: '5' }), confirmed()];
    expect(given(...paid).standing).toMatchObject({ status: 'Succeeded', confirmedCrypto: '0.002', flags: [] });
    expect(given(...paid, confirmed('b')).standing).toMatchObject({
      ...{ status: 'Succeeded', confirmedCrypto: '0.002', flags: ['payment_after_success'] },
    });
  });

  it('Pending, confirmation: Confirmed, and Succeeded at once where received covers the price', () => {
    const both = ['LegacyPaymentConfirmed', 'LegacyTransactionSucceeded'];
    expect(when(given(started(), seen()), confirmed())).toMatchObject({ status: 'Succeeded', types: both });
    expect(when(given(started(), seen({ amount: '0.0021' })), confirmed()).status).toBe('Succeeded');
    const under = when(given(started(), seen({ amount: '0.00199999' })), confirmed());
    expect(under).toMatchObject({ status: 'Confirmed', types: ['LegacyPaymentConfirmed'] });
  });

  it('Confirmed, the rest is paid: Succeeded with its confirmation', () => {
    const half = [seen({ amount: '0.001' }), confirmed(), seen({ txid: 'second', amount: '0.001' })];
    const waiting = given(started(), ...half);
    expect(waiting.standing).toEqual({ status: 'Confirmed', confirmedCrypto: '0.001', flags: [] });
    expect(when(waiting, confirmed('second'))).toMatchObject({ status: 'Succeeded', confirmedCrypto: '0.002' });
  });

  it('Confirmed, settled by the operator otherwise: Succeeded, by hand or with a batch', () => {
    const under = given(started(), seen({ amount: '0.001' }), confirmed());
    const byHand = decideSettle(under, { now: minute(9), note: 'close enough', named: null });
    expect(byHand).toMatchObject({ outcome: 'applied', events: [{ data: { note: 'close enough' } }] });
    const batch = signal('settlement.included');
    expect(when(under, batch)).toMatchObject({ status: 'Succeeded', after: { settlementBatchId: 'batch-1' } });
    const settled = given(started(), seen({ amount: '0.001' }), confirmed(), batch);
    expect(when(settled, signal('settlement.included')).outcome).toBe('ignored');
    expect(when(settled, signal('settlement.included', { batchId: 'another' })).outcome).toBe('rejected');
    expect(decideSettle(settled, { now: minute(9), note: null, named: null }).outcome).toBe('refused');
    expect(when(given(started(), seen()), signal('settlement.included')).outcome).toBe('rejected');
  });
});

describe('settled by the operator as it was looked at', () => {
  const both = [seen({ amount: '0.001' }), seen({ txid: 'b', amount: '0.0005' })];
  const twoPaid = given(started(), ...both, confirmed(), confirmed('b'));
  const settle = (transaction: LegacyTransaction, named: number) =>
    decideSettle(transaction, { now: minute(9), note: null, named });

  it('is settled while as much is there', () => {
    expect(settle(twoPaid, 0.0015).outcome).toBe('applied');
  });

  it('is so too where an older release has told of what was seen: a batch and an operator settle what is confirmed', () => {
    const now = given(started(), seen({ amount: '0.001' }), seen({ txid: 'b', amount: '5' }), confirmed());
    const older = { ...now, standing: { ...now.standing, confirmedCrypto: decimalText('5.001') } };
    const settled = { status: 'Succeeded', confirmedCrypto: '0.001' };
    expect(when(older, signal('settlement.included'))).toMatchObject(settled);
    expect(settle(older, 5.001)).toMatchObject({ refusal: { confirmedCrypto: '0.001' } });
    expect(settle(older, 0.001)).toMatchObject({ events: [{ data: { changes: settled } }] });
  });

  it('is refused once more is there, or less', () => {
    const stands = { refusal: 'crypto_stands_otherwise', confirmedCrypto: '0.0015', named: 0.002 };
    expect(settle(twoPaid, 0.002)).toEqual({ outcome: 'refused', refusal: stands });
    expect(settle(twoPaid, 0.001).outcome).toBe('refused');
  });
});

describe('what the chain takes back', () => {
  it.each(['payment.dropped', 'payment.double_spent'] as const)('%s: waits again as before', (type) => {
    const at = minute(3);
    expect(when(given(started(), seen()), signal(type, { at }))).toMatchObject({
      status: 'Started',
      confirmedCrypto: null,
    });
    expect(when(given(started(), seen()), signal(type, { at: minute(16) })).status).toBe('Timedout');
    const late = given(started(), signal('quote.expired'), seen());
    expect(when(late, signal(type, { at }))).toMatchObject({ status: 'Timedout', flags: [] });
  });

  it('never counts a payment beside what took its place: while one is in a block the other is in none', () => {
    const half = decimalText('0.001');
    const replaced = (fields: object = {}) => signal('payment.double_spent', { replacedBy: 'tx-r', ...fields });
    const past = [started(), seen({ amount: half }), replaced(), seen({ txid: 'tx-r', amount: half })];
    const taken = given(...past, confirmed('tx-r'));
    for (const rejected of [confirmed(), seen({ amount: half })])
      expect(when(taken, rejected)).toMatchObject({ outcome: 'rejected', status: 'Confirmed', confirmedCrypto: half });
    const raised = given(
      ...past,
      replaced({ replacedBy: 'tx-s' }),
      seen({ txid: 'tx-s', amount: half }),
      confirmed('tx-s'),
    );
    expect(when(raised, confirmed()).outcome).toBe('rejected');
    const back = given(...past, confirmed('tx-r'), signal('payment.reorged', { txid: 'tx-r' }));
    expect(when(back, confirmed()).outcome).toBe('applied');
    expect(when(given(started(), seen()), replaced({ replacedBy: 'tx' })).outcome).toBe('rejected');
  });

  it('a block: Pending again and flagged, but what is completed stays so', () => {
    const flags = ['confirmation_reorged'];
    const under = given(started(), seen({ amount: '0.001' }), confirmed());
    expect(when(under, signal('payment.reorged'))).toMatchObject({ status: 'Pending', flags });
    const whole = given(started(), seen(), confirmed());
    expect(when(whole, signal('payment.reorged'))).toMatchObject({ status: 'Succeeded', flags });
  });

  it('what it succeeded with: no batch takes it until that is confirmed again, or made up for', () => {
    const [reorg, batch] = [signal('payment.reorged'), signal('settlement.included')];
    const reasonOf = (transaction: LegacyTransaction) => {
      const decided = decideTransactionSignal(transaction, batch);
      return decided.outcome === 'rejected' ? decided.reason : decided.outcome;
    };
    const again = 'what it succeeded with has to be confirmed again';
    const gone = [started(), seen(), confirmed(), reorg];
    expect(reasonOf(given(...gone))).toBe(`settlement is withheld (reorged): ${again}`);
    expect(reasonOf(given(...gone, confirmed()))).toBe('applied');
    expect(reasonOf(given(...gone, signal('payment.dropped')))).toBe(`settlement is withheld (dropped): ${again}`);
    const spent = [...gone, signal('payment.double_spent')];
    expect(reasonOf(given(...spent))).toBe(`settlement is withheld (double_spent): ${again}`);
    const other = seen({ txid: 'other' });
    expect(reasonOf(given(...spent, other))).toBe(`settlement is withheld (double_spent): ${again}`);
    expect(reasonOf(given(...spent, other, confirmed('other')))).toBe('applied');
  });

  it('what an operator settled for less: as much as that has to be there', () => {
    const under = given(started(), seen({ amount: '0.001' }), confirmed());
    const settled = decideSettle(under, { now: minute(9), note: null, named: null });
    if (settled.outcome !== 'applied') throw new Error('not settled');
    const batched = (...more: readonly EngineSignal[]) =>
      when(
        given(started(), seen({ amount: '0.001' }), confirmed(), ...settled.events, ...more),
        signal('settlement.included'),
      );
    expect(batched().outcome).toBe('applied');
    expect(batched(signal('payment.reorged')).outcome).toBe('rejected');
    expect(batched(seen({ txid: 'dust', amount: '0.0001' }), signal('payment.dropped', { txid: 'dust' })).outcome).toBe(
      'applied',
    );
    const another = [seen({ txid: 'b', amount: '0.001' }), confirmed('b')];
    expect(batched(signal('payment.reorged'), ...another).outcome).toBe('applied');
  });

  it.each(['payment.dropped', 'payment.double_spent'] as const)(
    'money that is lost after success is flagged: %s',
    (lost) => {
      const past = [started(), seen({ amount: '0.001' }), seen({ txid: 'b', amount: '0.0005' }), confirmed()];
      const gone = signal(lost, { txid: 'b' });
      expect(when(given(...past), gone)).toMatchObject({ status: 'Confirmed', confirmedCrypto: '0.001', flags: [] });
      const settled = decideSettle(given(...past), { now: minute(9), note: null, named: null });
      if (settled.outcome !== 'applied') throw new Error('not settled');
      expect(when(given(...past, ...settled.events), gone)).toMatchObject({
        ...{ status: 'Succeeded', confirmedCrypto: '0.001', flags: ['payment_lost_after_success'] },
      });
    },
  );

  it.each(['payment.seen', 'payment.confirmed'] as const)(
    'what it succeeded with, where it comes back by %s: it is no money after success',
    (type) => {
      const lost = [started(), seen(), confirmed(), signal('payment.reorged'), signal('payment.dropped')];
      const { flags } = given(...lost, signal(type)).standing;
      expect(flags).toEqual(['confirmation_reorged', 'payment_lost_after_success']);
    },
  );

  it('money after success is flagged and changes no amount', () => {
    const after = when(given(started(), seen(), confirmed()), seen({ txid: 'another', amount: '5' }));
    expect(after).toMatchObject({ status: 'Succeeded', confirmedCrypto: '0.002', flags: ['payment_after_success'] });
  });
});

describe('a signal', () => {
  const unknown = ['payment.confirmed', 'payment.dropped', 'payment.double_spent', 'payment.reorged'] as const;
  it.each(unknown)('%s of an unknown payment is rejected', (type) => {
    const decided = decideTransactionSignal(given(started()), signal(type));
    expect(decided).toMatchObject({ outcome: 'rejected', reason: 'the payment was never seen' });
  });

  it.each(['kyt.completed', 'ofac.completed', 'ofac.deadline_missed', 'guards.completed', 'refund.broadcast'] as const)(
    '%s is rejected: a legacy transaction is not screened and not returned',
    (type) => expect(when(given(started()), signal(type)).outcome).toBe('rejected'),
  );

  it('of dust beyond 500 payments is ignored, while the real one still finds its place', () => {
    const dust = (count: number) => Array.from({ length: count }, (_, vout) => seen({ vout, amount: '0.00000001' }));
    expect(when(given(started(), ...dust(499)), seen({ vout: 499, amount: '0.00000001' })).outcome).toBe('applied');
    const dusted = given(started(), ...dust(500));
    expect(when(dusted, seen({ vout: 500, amount: '0.00000199' })).outcome).toBe('ignored');
    expect(when(dusted, seen({ vout: 500, amount: '0.000002' }))).toMatchObject({
      ...{ outcome: 'applied', confirmedCrypto: '0.000007' },
    });
  });

  it('of a payment beyond the thousandth is ignored, while those known go on', () => {
    const payments = Array.from({ length: 1_000 }, (_, vout) => seen({ vout, amount: '0.000002' }));
    const full = given(started(), ...payments);
    expect(decideTransactionSignal(full, seen({ vout: 1_000 }))).toMatchObject({
      outcome: 'ignored',
      setAside: { data: { alerts: ['payment_without_place'] } },
    });
    expect(when(full, signal('payment.confirmed', { vout: 999 })).status).toBe('Confirmed');
  });

  it('of a confirmation takes in what found no place when it was seen, and leads on as of any', () => {
    const crowd = Array.from({ length: 1_000 }, (_, vout) => seen({ vout, amount: '0.000002' }));
    const full = given(started(), ...crowd);
    const payment = { txid: 'real', vout: 0, amount: decimalText('0.002'), replaceable: false, firstSeenAt: minute(1) };
    const unplaced = { payment: { ...payment, state: 'unconfirmed', reorged: false }, fundingAddresses: [] } as const;
    expect(decideTransactionSignal(full, seen({ txid: 'real' }))).toMatchObject({ setAside: { data: { unplaced } } });
    const kept = { signalId: 'kept', unplaced };
    const decided = decideTransactionSignal(full, signal('payment.confirmed', { txid: 'real' }), kept);
    if (decided.outcome !== 'applied') throw new Error(JSON.stringify(decided));
    expect(decided.events.map(({ type }) => type)).toEqual([
      ...['LegacyPaymentSeen', 'LegacyPaymentConfirmed', 'LegacyTransactionSucceeded'],
    ]);
  });

  it('of a payment finds the place of one that was double-spent or dropped', () => {
    const crowd = (type: 'payment.seen' | 'payment.double_spent' | 'payment.dropped', txid: string, amount: string) =>
      Array.from({ length: 500 }, (_, vout) => signal(type, { txid, vout, amount }));
    const full = [...crowd('payment.seen', 'a', '0.00000001'), ...crowd('payment.seen', 'b', '0.000002')];
    const replaced = given(started(), ...full, ...crowd('payment.double_spent', 'b', ''));
    expect(when(replaced, seen({ txid: 'real' })).outcome).toBe('applied');
    const gone = given(started(), ...full, ...crowd('payment.dropped', 'b', ''), ...crowd('payment.dropped', 'a', ''));
    expect(when(gone, seen({ txid: 'more', amount: '0.00000001' })).outcome).toBe('applied');
  });

  it('that was applied is a duplicate; the same payment under another id is ignored', () => {
    const first = seen();
    const transaction = given(started(), first);
    expect(when(transaction, first).outcome).toBe('duplicate');
    expect(when(transaction, seen()).outcome).toBe('ignored');
    expect(when(transaction, seen({ amount: '1' })).outcome).toBe('rejected');
  });

  it('of no transaction, of no time or of no money is rejected', () => {
    expect(decideTransactionSignal(initialTransaction, seen()).outcome).toBe('rejected');
    expect(when(given(started()), seen({ at: 'yesterday' })).outcome).toBe('rejected');
    expect(when(given(started()), seen({ amount: '0' })).outcome).toBe('rejected');
    expect(when(given(started(), seen()), signal('payment.confirmed', { confirmations: 0 })).outcome).toBe('rejected');
  });
});

describe('whatever is reported, in whatever order', () => {
  const types = [
    'payment.seen',
    'payment.confirmed',
    'payment.dropped',
    'payment.double_spent',
    'payment.reorged',
    'quote.expired',
    'settlement.included',
  ] as const;
  const steps = fc.record({
    type: fc.constantFrom(...types),
    txid: fc.constantFrom('a', 'b', 'c'),
    amount: fc.constantFrom('0.001', '0.002', '0.00000001'),
    at: fc.integer({ min: 0, max: 40 }).map(minute),
    batchId: fc.constantFrom('one', 'two'),
  });

  type Sent = Parameters<typeof signal>[1] & { readonly type: EngineSignal['type']; readonly txid: string };

  /** A payment keeps the amount that it was seen with. */
  const sentTo = ({ payments }: LegacyTransaction, { type, ...fields }: Sent): EngineSignal => {
    const known = payments.find(({ txid }) => txid === fields.txid);
    return signal(type, { ...fields, ...(known && { amount: known.amount }) });
  };

  const total = (payments: LegacyTransaction['payments']) => sum(payments.map((payment) => amount(payment.amount)));

  const mustAgree = ({ payments, standing, terms }: LegacyTransaction): void => {
    const live = payments.filter(({ state }) => state === 'unconfirmed' || state === 'confirmed');
    const confirmedOnes = live.filter(({ state }) => state === 'confirmed');
    expect(total(confirmedOnes).lessThan(amount(terms.cryptoAmount))).toBe(true);
    expect(['Pending', 'Confirmed'].includes(standing.status)).toBe(live.length > 0);
    expect(standing.status === 'Confirmed').toBe(confirmedOnes.length > 0);
    const counted = confirmedOnes.length > 0 ? confirmedOnes : live;
    expect(standing.confirmedCrypto).toBe(live.length > 0 ? toText(total(counted)) : null);
  };

  const step = (before: LegacyTransaction, sent: EngineSignal): LegacyTransaction => {
    const { outcome, after } = when(before, sent);
    if (outcome === 'applied') expect(when(after, sent).outcome).toBe('duplicate');
    else expect(after).toBe(before);
    if (before.standing.status === 'Succeeded') expect(after.standing.status).toBe('Succeeded');
    if (after.standing.status !== 'Succeeded') mustAgree(after);
    return after;
  };

  it('the status follows from the payments, success is final, and a signal counts once', () => {
    const holds = (life: readonly Sent[]): void => {
      life.reduce((before, sent) => step(before, sentTo(before, sent)), given(started()));
    };
    fc.assert(fc.property(fc.array(steps, { maxLength: 40 }), holds), { numRuns: 300 });
  });
});
