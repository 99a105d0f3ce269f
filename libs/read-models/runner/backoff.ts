const FIRST_MS = 50;
const LONGEST_MS = 2_000;

/** Doubles from attempt to attempt, up to a bound that keeps recovery prompt; scattered, so that instances part. */
export const pauseBefore = (attempt: number): number =>
  Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 10)) * (0.5 + Math.random() / 2);
