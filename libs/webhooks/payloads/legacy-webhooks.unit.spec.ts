import { describe, expect, it } from '@jest/globals';
import type { EngineSignal } from '#deposits';
import {
  decideCancel,
  decideTransactionSignal,
  initialTransaction,
  type LegacyTransaction,
  type TransactionEvent,
} from '#legacy-transactions';
import { given, minute, signal, started } from '#legacy-transactions/testing';
import { legacyWebhooksOf } from './legacy-webhooks.ts';

const recorded = (event: TransactionEvent) => ({ id: 'event-1', recordedAt: new Date(minute(1)), event });

const told = (before: LegacyTransaction, events: readonly TransactionEvent[]) => {
  let state = before;
  return events.flatMap((event) => {
    const { after, webhooks } = legacyWebhooksOf(state, recorded(event));
    if (after.stage === 'started') state = after;
    return webhooks.map(({ body }) => JSON.parse(body) as { readonly event: string; readonly status: string });
  });
};

const toldAfter = (before: LegacyTransaction, sent: EngineSignal) => {
  const decided = decideTransactionSignal(before, sent);
  return told(before, decided.outcome === 'applied' ? decided.events : []).map(({ event, status }) => [event, status]);
};

const seen = (amount = '0.002') => signal('payment.seen', { amount });

describe('the webhooks of a legacy transaction', () => {
  it('"Started sends nothing"', () => {
    expect(legacyWebhooksOf(initialTransaction, recorded(started())).webhooks).toEqual([]);
    expect(toldAfter(given(started(), seen()), signal('payment.dropped'))).toEqual([]);
  });

  it('are named by its statuses, and "Succeeded sends transaction.succeed"', () => {
    const fresh = given(started());
    expect(toldAfter(fresh, seen())).toEqual([['transaction.pending', 'Pending']]);
    expect(toldAfter(fresh, signal('quote.expired'))).toEqual([['transaction.timedout', 'Timedout']]);
    const cancelled = decideCancel(fresh, minute(1));
    expect(cancelled.outcome === 'applied' && told(fresh, cancelled.events)).toMatchObject([
      { event: 'transaction.cancelled', status: 'Cancelled' },
    ]);
    expect(toldAfter(given(started(), seen()), signal('payment.confirmed'))).toEqual([
      ['transaction.confirmed', 'Confirmed'],
      ['transaction.succeed', 'Succeeded'],
    ]);
    const under = given(started(), seen('0.001'), signal('payment.confirmed'));
    expect(toldAfter(under, signal('settlement.included'))).toEqual([
      ['transaction.succeed', 'Succeeded'],
      ['transaction.settled', 'Succeeded'],
    ]);
  });

  it('have the keys of the generic events, null where there is no casino, in their order', () => {
    const before = given(started());
    const decided = decideTransactionSignal(before, seen('0.001'));
    if (decided.outcome !== 'applied') throw new Error('not applied');
    const [webhook] = decided.events.flatMap((event) => legacyWebhooksOf(before, recorded(event)).webhooks);
    expect(webhook).toMatchObject({ event: 'transaction.pending', transactionId: 7, affiliateId: 1 });
    expect(webhook?.body).toBe(
      '{"confirmed_crypto":0.001,"crypto_amount":0.002,"currency":"BTC","deposit_id":null,"entity_external_code":null,' +
        `"entity_id":null,"event":"transaction.pending","status":"Pending","timestamp":${Date.parse(minute(1)) / 1_000},` +
        '"transaction_id":7,"usd_amount":100}',
    );
  });
});
