export type Spread = { readonly median: number; readonly min: number; readonly max: number };

/** A single figure of a shared machine means little: what is quoted is the median, with how far the rest lay. */
export const spreadOf = (values: readonly number[]): Spread => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  const [min, max] = [sorted[0], sorted.at(-1)];
  if (low === undefined || high === undefined || min === undefined || max === undefined)
    throw new RangeError('a spread needs at least one value');
  return { median: (low + high) / 2, min, max };
};

/** Round by round, so that a slow minute of the machine weighs on both sides alike. */
export const ratios = (ours: readonly number[], theirs: readonly number[]): Spread =>
  spreadOf(ours.map((value, i) => value / (theirs[i] ?? Number.NaN)));
