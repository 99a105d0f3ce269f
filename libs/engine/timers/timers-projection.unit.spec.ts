import { describe, it } from '@jest/globals';
import type { DepositCommand, DepositEvent } from '#deposits';
import { decide, evolve, initialState } from '#deposits';
import type { JsonObject } from '#event-log';
import { given } from '#read-models/testing';
import { quoteOf } from '../testing/quote.ts';
import { signal } from '../testing/signals.ts';
import { LOOKED_UP } from './looked-up.ts';
import { timersProjection } from './timers-projection.ts';

const minute = (minutes: number): string => new Date(Date.UTC(2026, 2, 1, 12, minutes)).toISOString();

/** The rows that a deposit of minute 0 leaves after these signals. */
const leftBy = (...commands: readonly DepositCommand[]) => {
  const quote = quoteOf(7, minute(0), false);
  const events: DepositEvent[] = [quote];
  let state = evolve(initialState, quote);
  for (const command of commands) {
    const outcome = decide(state, command);
    if (outcome.outcome !== 'applied') throw new Error(JSON.stringify(outcome));
    events.push(...outcome.events);
    state = outcome.events.reduce(evolve, state);
  }
  return given(
    timersProjection,
    ...events.map(({ type, data }) => ({ type, data: data as unknown as JsonObject, stream: 'deposit-7' })),
  );
};

const seen = (minutes: number, from = 'from', txid = 'tx') =>
  signal(
    { type: 'payment.seen', txid, vout: 0, amount: '2', fundingAddresses: [from], replaceable: false },
    minute(minutes),
  );
const dropped = (minutes: number) => signal({ type: 'payment.dropped', txid: 'tx', vout: 0 }, minute(minutes));
const clear = (minutes: number) => signal({ type: 'ofac.completed', status: 'clear', address: null }, minute(minutes));
const expired = () => signal({ type: 'quote.expired' }, minute(30));

const expiry = (armed_by: number) => ({
  ...{ deposit_id: 7, kind: 'expiry', due_at: minute(30), waiting: true, armed_by },
});
const deadline = (armed_by: number, minutes: number) => ({
  ...{ deposit_id: 7, kind: 'ofac_deadline', due_at: minute(minutes), waiting: true, armed_by },
});

describe('the timers of a deposit', () => {
  it('wait for its expiry from the quote on, until it has expired', () => {
    leftBy().thenRows({ timers: [expiry(0)] });
    leftBy(expired()).thenRows({});
  });

  it('wait for the OFAC deadline from the first payment on, and no more for the expiry', () => {
    leftBy(seen(1)).thenRows({ timers: [deadline(1, 2)] });
  });

  it('wait for no deadline once OFAC has answered, and are all gone then', () => {
    leftBy(seen(1), clear(1)).thenRows({});
  });

  it('wait for a new deadline when a new address pays, even at the very time of the last one', () => {
    leftBy(seen(1), clear(1), seen(5, 'another', 'tx-2')).thenRows({ timers: [deadline(3, 6)] });
    leftBy(seen(1), clear(1), seen(1, 'another', 'tx-2')).thenRows({
      timers: [{ ...deadline(3, 1), due_at: LOOKED_UP }],
    });
  });

  it('wait for the expiry again when the payment was dropped and the deposit is Pending again', () => {
    leftBy(seen(1), clear(1), dropped(2)).thenRows({ timers: [{ ...expiry(3), due_at: LOOKED_UP }] });
  });
});
