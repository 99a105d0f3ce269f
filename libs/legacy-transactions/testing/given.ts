import type { EngineSignal, Instant } from '#deposits/floor';
import { decimalText } from '#money';
import {
  type AskTransaction,
  decideTransactionSignal,
  evolveTransaction,
  initialTransaction,
  type LegacyTransaction,
  priceTransaction,
  type TransactionEvent,
  type TransactionStarted,
  type TransactionState,
} from '../index.ts';

/** The transactions of specs are started at noon. */
export const minute = (after: number): Instant =>
  new Date(Date.parse('2026-03-01T12:00:00.000Z') + after * 60_000).toISOString();

/** 100 USD at 50 000 USD a bitcoin: 0.002 BTC. */
export const started = (asked: Partial<AskTransaction> = {}, transactionId = 7): TransactionStarted => {
  const priced = priceTransaction({
    affiliateId: 1,
    currency: 'BTC',
    usdAmount: decimalText('100'),
    marketRate: decimalText('50000'),
    label: 'order 12',
    now: minute(0),
    ...asked,
  });
  if (priced.outcome !== 'priced') throw new Error('there is no rate');
  return priced.startedWith({ transactionId, wallet: `address of ${transactionId}` });
};

let signals = 0;

/** A signal of its own each time it is asked for. */
export const signal = <Type extends EngineSignal['type']>(
  type: Type,
  fields: Partial<Extract<EngineSignal, { type: Type }>> = {},
): EngineSignal => {
  const at = fields.at ?? minute(1);
  const payment = { txid: 'tx', vout: 0, amount: '0.002', fundingAddresses: [], replaceable: false };
  const block = { confirmations: 1, blockHash: null, blockHeight: null, replacedBy: 'other' };
  const others = { batchId: 'batch-1', returnId: 1, refundTxid: 'refund', status: 'passed', passed: true };
  const all = { type, signalId: `s-${++signals}`, now: at, ...payment, ...block, ...others, ...fields, at };
  return all as unknown as EngineSignal;
};

type Step = TransactionEvent | EngineSignal;

const isEvent = (step: Step): step is TransactionEvent => 'data' in step;

const eventsOf = (state: TransactionState, step: Step): readonly TransactionEvent[] => {
  if (isEvent(step)) return [step];
  const decided = decideTransactionSignal(state, step);
  if (decided.outcome !== 'applied') throw new Error(`given ${step.type}: ${JSON.stringify(decided)}`);
  return decided.events;
};

/** The transaction after a past in which every signal was applied. */
export const given = (...past: readonly Step[]): LegacyTransaction => {
  const state = past.reduce(
    (before, step) => eventsOf(before, step).reduce(evolveTransaction, before),
    initialTransaction as TransactionState,
  );
  if (state.stage === 'none') throw new Error('no transaction was started');
  return state;
};
