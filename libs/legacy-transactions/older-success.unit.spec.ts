import { describe, expect, it } from '@jest/globals';
import type { EngineSignal } from '#deposits/floor';
import { decideTransactionSignal, type LegacyTransaction, type TransactionEvent } from './index.ts';
import { given, minute, signal, started } from './testing/index.ts';

const fact = { transaction: { transactionId: 7, affiliateId: 1, currency: 'BTC' }, at: minute(1) } as const;

/** As an older release wrote them: what was seen is told as well, and stays what it succeeded with. */
const olderConfirmed: TransactionEvent = {
  type: 'LegacyPaymentConfirmed',
  data: {
    ...{ ...fact, signalId: 'older', txid: 'tx', vout: 0, confirmations: 1, blockHash: null, blockHeight: null },
    changes: { status: 'Confirmed' },
  },
};
const olderSucceeded: TransactionEvent = {
  type: 'LegacyTransactionSucceeded',
  data: { ...fact, note: null, changes: { status: 'Succeeded' } },
};
const olderBatch: TransactionEvent = {
  type: 'LegacySettlementIncluded',
  data: { ...fact, signalId: 'older batch', batchId: 'older', changes: { status: 'Succeeded' } },
};

const seen = (txid: string, amount: string) => signal('payment.seen', { txid, amount });
const confirmed = (txid: string) => signal('payment.confirmed', { txid });
const spent = signal('payment.double_spent', { txid: 'b' });

const outcomeOf = (state: LegacyTransaction, sent: EngineSignal) => {
  const decided = decideTransactionSignal(state, sent);
  return decided.outcome === 'rejected' ? decided.reason : decided.outcome;
};
const batched = (state: LegacyTransaction) => outcomeOf(state, signal('settlement.included'));
const withheld = (word: string) => `settlement is withheld (${word}): what it succeeded with has to be confirmed again`;

describe.each([
  ['covers the price', '0.002', '0.003'],
  ['is less than the price', '0.001', '0.002'],
])('a success of an older release that told of what was not confirmed, where what was %s', (_, first, told) => {
  const paid = [started(), seen('tx', first), seen('b', '0.001')];
  const past = [...paid, olderConfirmed, olderSucceeded];
  const unlessCovered = (word: string) => (first === '0.002' ? 'applied' : withheld(word));

  it('is made up of all that was told: what of it confirms is nothing new', () => {
    const whole = given(...past, confirmed('b'));
    expect(whole.standing).toEqual({ status: 'Succeeded', confirmedCrypto: told, flags: [] });
    expect(batched(whole)).toBe('applied');
  });

  it('is in no batch while part of that is not confirmed, or gone, unless the price is', () => {
    expect(batched(given(...past))).toBe(unlessCovered('unconfirmed'));
    const gone = given(...past, spent);
    expect(gone.standing).toMatchObject({ confirmedCrypto: told, flags: ['payment_lost_after_success'] });
    expect(batched(gone)).toBe(unlessCovered('double_spent'));
  });

  it('is in one once as much is confirmed', () => {
    const more = [...past, spent, seen('c', '0.001')];
    expect(batched(given(...more))).toBe(unlessCovered('double_spent'));
    expect(batched(given(...more, confirmed('c')))).toBe('applied');
  });

  it('counts neither what was gone by then nor what came since', () => {
    const lost = [seen('d', '0.001'), signal('payment.dropped', { txid: 'd' })];
    const state = given(...paid, ...lost, olderConfirmed, olderSucceeded, seen('e', '0.001'));
    expect(state.succeededWith).toEqual(['tx:0', 'b:0']);
  });
});

it('what an older release completed with its batch is read so too', () => {
  const state = given(started(), seen('tx', '0.001'), seen('b', '0.0005'), olderConfirmed, olderBatch, confirmed('b'));
  expect(state.standing).toEqual({ status: 'Succeeded', confirmedCrypto: '0.0015', flags: [] });
});

describe('a success that told of what was confirmed, and nothing else', () => {
  const past = [started(), seen('b', '0.001'), seen('tx', '0.002'), confirmed('tx')];

  it('does not count what confirms since', () => {
    expect(given(...past).standing).toEqual({ status: 'Succeeded', confirmedCrypto: '0.002', flags: [] });
    expect(given(...past, confirmed('b')).standing.flags).toEqual(['payment_after_success']);
  });

  it('is in a batch whatever becomes of that', () => {
    expect(batched(given(...past))).toBe('applied');
    expect(batched(given(...past, spent))).toBe('applied');
  });

  it('is in one while the price is confirmed, though more was told', () => {
    const over = [started(), seen('b', '0.001'), confirmed('b'), seen('tx', '0.002'), confirmed('tx')];
    const reorged = [...over, signal('payment.reorged', { txid: 'b' })];
    expect(batched(given(...reorged))).toBe('applied');
    expect(batched(given(...reorged, signal('payment.reorged', { txid: 'tx' })))).toBe(withheld('reorged'));
  });
});
