import { type ChangesNothing, rejected } from '../floor/outcome.ts';
import { bareHash, isConfirmed, type Payment } from '../floor/payment.ts';

const gaveWayTo = ({ replacedBy = [] }: Payment, { txid }: Payment): boolean =>
  replacedBy.some((by) => bareHash(by) === bareHash(txid));

/**
 * One of two that spend the same coins: while the other is in a block, this one can be in none. Both would count, and
 * the deposit be worth twice what was paid.
 */
export const refusedByRival = (payments: readonly Payment[], payment: Payment): ChangesNothing | undefined => {
  const rival = payments.find(
    (other) => isConfirmed(other) && (gaveWayTo(payment, other) || gaveWayTo(other, payment)),
  );
  return rival && rejected(`${rival.txid} spends the same coins and is confirmed: report its reorg first`);
};
