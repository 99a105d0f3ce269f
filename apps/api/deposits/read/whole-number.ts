/** A query parameter that says how many; undefined for what is none. A huge one is as good as the largest. */
export const wholeNumber = (value: unknown): number | undefined =>
  typeof value === 'string' && /^[0-9]+$/.test(value) ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : undefined;
