import type { QuoteExpiredSignal, SettlementIncludedSignal } from '#deposits/floor';
import { factOf, stand } from '../standing.ts';
import type { LegacyTransaction } from '../state.ts';
import { applies, ignored, rejected, type Verdict } from './verdict.ts';

/** Only what still waits can time out. */
export const onTimeOut = (transaction: LegacyTransaction, { signalId, at }: QuoteExpiredSignal): Verdict => {
  const { status } = transaction.standing;
  if (status !== 'Started') return ignored(`the transaction is ${status}`);
  const after = stand(transaction, { status: 'Timedout' });
  return applies({ type: 'LegacyTransactionTimedOut', data: { signalId, ...factOf(transaction, after, at) } });
};

/** An operator's batch settles what is confirmed, whether it covers the price or not. */
export const onSettlementIncluded = (
  transaction: LegacyTransaction,
  { signalId, at, batchId }: SettlementIncludedSignal,
): Verdict => {
  const { settlementBatchId: known, standing } = transaction;
  if (known === batchId) return ignored(`the transaction is in batch ${batchId} already`);
  if (known !== null) return rejected(`the transaction is in batch ${known}`);
  if (standing.status !== 'Confirmed' && standing.status !== 'Succeeded')
    return rejected(`the transaction is ${standing.status}: only a confirmed one is settled`);
  const after = stand(transaction, { status: 'Succeeded' });
  return applies({ type: 'LegacySettlementIncluded', data: { signalId, batchId, ...factOf(transaction, after, at) } });
};
