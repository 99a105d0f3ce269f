import { absenceOf, keyOf, type Payment } from '../floor/payment.ts';
import type { Deposit, Standing } from '../floor/state.ts';
import { type Withholding, type WithholdingReason, withholdings } from '../floor/words.ts';
import { countedIn } from './counting.ts';

const reasonOf = (payment: Payment): WithholdingReason | false => {
  const word = absenceOf(payment);
  return word !== undefined && `${word}:${keyOf(payment)}`;
};

/** Whether it is what is named, by a word or with its payment. */
export const isOf = (reason: WithholdingReason, named: WithholdingReason): boolean =>
  reason === named || reason.startsWith(`${named}:`);

/** What kinds of reasons there are; what weighs most comes first. */
export const wordsOf = (reasons: readonly WithholdingReason[]): readonly Withholding[] =>
  withholdings.filter((word) => reasons.some((reason) => isOf(reason, word)));

/** Everything that speaks against paying the casino for an accepted live deposit, now. */
const reasonsOf = ({ terms, standing, payments }: Deposit): readonly WithholdingReason[] => {
  if (standing.decision !== 'accepted' || terms.test) return [];
  return [
    standing.ofacStatus === 'hit' && ('ofac_hit' as const),
    standing.kytStatus === 'failed' && ('kyt_failed' as const),
    ...payments.filter(countedIn({ standing })).map(reasonOf),
  ].filter((reason) => reason !== false);
};

/** Those of them that no operator has released. */
export const withholdingsOf = (deposit: Deposit): readonly WithholdingReason[] => {
  const released = new Set(deposit.settlementReleased);
  return reasonsOf(deposit).filter((reason) => !released.has(reason));
};

/**
 * A release is of what stood at it, payment by payment, and only while that stands: what comes up later, or comes up
 * again, withholds anew.
 */
export const keepReleased = (deposit: Deposit, ...words: readonly Withholding[]): Deposit => {
  const known = new Set(deposit.settlementReleased);
  if (known.size + words.length === 0) return deposit;
  const isReleased = (reason: WithholdingReason) => known.has(reason) || words.some((word) => isOf(reason, word));
  return { ...deposit, settlementReleased: reasonsOf(deposit).filter(isReleased) };
};

export const withheldOf = (deposit: Deposit): Standing['settlementWithheld'] => {
  const [held] = wordsOf(withholdingsOf(deposit));
  return held ?? (reasonsOf(deposit).length > 0 ? 'released' : null);
};
