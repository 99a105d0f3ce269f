import { bareHash, isConfirmed, type Payment } from './payment.ts';

export const isKnownReplacement = ({ replacedBy = [] }: Payment, by: string): boolean =>
  replacedBy.some((known) => bareHash(known) === bareHash(by));

/**
 * Why a payment can be in no block now: the one that took its place, or whose place it took, is. Both would count, and be
 * worth twice what was paid. Of each other alone: what replaced two may be gone and both be there, and the first and the
 * last of three need not spend the same coins, unless that is told of them.
 */
export const keptOutBy = (payments: readonly Payment[], payment: Payment): string | undefined => {
  const rival = payments.find(
    (other) =>
      isConfirmed(other) && (isKnownReplacement(payment, other.txid) || isKnownReplacement(other, payment.txid)),
  );
  return rival && `${rival.txid} spends the same coins and is confirmed: report its reorg first`;
};

/** No transaction takes its own place; its outputs would keep each other out. */
export const replacesItself = ({ txid }: Pick<Payment, 'txid'>, replacedBy: string): boolean =>
  bareHash(txid) === bareHash(replacedBy);
