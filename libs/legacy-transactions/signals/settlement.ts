import {
  absenceOf,
  isConfirmed,
  keyOf,
  type SettlementIncludedSignal,
  type Withholding,
  withholdings,
} from '#deposits/floor';
import { factOf, isCovered, succeeded, totalOf } from '../standing.ts';
import type { LegacyTransaction } from '../state.ts';
import { applies, ignored, rejected, type Verdict } from './payments.ts';

/** What became of the money with which it succeeded, unless as much is confirmed now, or what it had to bring. */
const withheldOf = (transaction: LegacyTransaction): Withholding | undefined => {
  const { payments, succeededWith } = transaction;
  const counted = payments.filter((payment) => succeededWith.includes(keyOf(payment)));
  const madeUp = totalOf(payments.filter(isConfirmed)).greaterThanOrEqualTo(totalOf(counted));
  // Nobody could release it otherwise: dust beside the price, lost later, would keep that from ever being settled.
  if (madeUp || isCovered(transaction)) return undefined;
  return withholdings.find((word) => counted.some((payment) => absenceOf(payment) === word));
};

/** An operator's batch settles what is confirmed, whether it covers the price or not, and nothing that is gone. */
export const onSettlementIncluded = (
  transaction: LegacyTransaction,
  { signalId, at, batchId }: SettlementIncludedSignal,
): Verdict => {
  const { settlementBatchId: known, standing } = transaction;
  if (known === batchId) return ignored(`the transaction is in batch ${batchId} already`);
  if (known !== null) return rejected(`the transaction is in batch ${known}`);
  if (standing.status !== 'Confirmed' && standing.status !== 'Succeeded')
    return rejected(`the transaction is ${standing.status}: only a confirmed one is settled`);
  const withheld = withheldOf(transaction);
  if (withheld)
    return rejected(`settlement is withheld (${withheld}): what it succeeded with has to be confirmed again`);
  const after = standing.status === 'Confirmed' ? succeeded(transaction) : transaction;
  return applies({ type: 'LegacySettlementIncluded', data: { signalId, batchId, ...factOf(transaction, after, at) } });
};
