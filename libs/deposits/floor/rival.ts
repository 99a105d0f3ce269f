import { bareHash, isConfirmed, type Payment } from './payment.ts';

const gaveWayTo = ({ replacedBy = [] }: Payment, { txid }: Payment): boolean =>
  replacedBy.some((by) => bareHash(by) === bareHash(txid));

/** What it replaced and what replaced it, and so on: a fee may be raised more than once. */
const rivalsOf = (payments: readonly Payment[], payment: Payment): readonly Payment[] => {
  const rivals = [payment];
  for (const one of rivals)
    rivals.push(
      ...payments.filter((other) => !rivals.includes(other) && (gaveWayTo(one, other) || gaveWayTo(other, one))),
    );
  return rivals.slice(1);
};

/**
 * Why a payment can be in no block now: of those that spend the same coins another one is. Both would count, and be
 * worth twice what was paid.
 */
export const keptOutBy = (payments: readonly Payment[], payment: Payment): string | undefined => {
  const rival = rivalsOf(payments, payment).find(isConfirmed);
  return rival && `${rival.txid} spends the same coins and is confirmed: report its reorg first`;
};

/** No transaction takes its own place; its outputs would keep each other out. */
export const replacesItself = ({ txid }: Pick<Payment, 'txid'>, replacedBy: string): boolean =>
  bareHash(txid) === bareHash(replacedBy);

export const isKnownReplacement = ({ replacedBy = [] }: Payment, by: string): boolean =>
  replacedBy.some((known) => bareHash(known) === bareHash(by));
