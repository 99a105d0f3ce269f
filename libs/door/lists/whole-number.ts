/** A query parameter that says how many; undefined for what is none. A huge one is as good as the largest. */
export const wholeNumber = (value: unknown): number | undefined =>
  typeof value === 'string' && /^[0-9]+$/.test(value) ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : undefined;

export const PAGE = 50;
export const LARGEST_PAGE = 100;

/** "Above 100 treated as 100; 0 or non-numeric treated as 50." */
export const limitOf = (value: unknown): number => Math.min(wholeNumber(value) || PAGE, LARGEST_PAGE);
