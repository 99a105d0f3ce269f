import { amount, type DecimalText } from '#money';

const FURTHEST = '0.2';

/** A wrong price turns money elsewhere as surely as a wrong address: how far one may be pinned from the known one. */
export const isTooFar = (usd: DecimalText, known: DecimalText): boolean =>
  amount(usd).minus(amount(known)).abs().greaterThan(amount(known).times(FURTHEST));
