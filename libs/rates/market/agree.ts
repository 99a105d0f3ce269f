import { type Amount, amount, type DecimalText, toText } from '#money';

/** What the sources together say. */
export type Verdict =
  | { readonly kind: 'price'; readonly usd: DecimalText }
  | { readonly kind: 'disagreement' }
  | { readonly kind: 'silence' };

/** The dearest may be this many times the cheapest: exchanges differ by tenths of a percent, a broken one by more. */
const TOLERANCE = amount('1.02');
const two = amount('2');

const middle = (sorted: readonly Amount[]): Amount | undefined => {
  const [below, above] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return below && above && below.plus(above).dividedBy(two);
};

/**
 * The median of what was told. One source alone is believed, so that a dead one stops no quote; sources that contradict
 * each other are not, because nobody can tell which is wrong: no quote is better than a wrong one.
 */
export const agree = (told: readonly DecimalText[]): Verdict => {
  const sorted = told.map(amount).sort((one, other) => one.comparedTo(other));
  const [lowest, highest, median] = [sorted.at(0), sorted.at(-1), middle(sorted)];
  if (!lowest || !highest || !median) return { kind: 'silence' };
  if (highest.greaterThan(lowest.times(TOLERANCE))) return { kind: 'disagreement' };
  return { kind: 'price', usd: toText(median) };
};
