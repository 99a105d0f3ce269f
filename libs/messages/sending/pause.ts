const FIRST_MS = 5_000;
const LONGEST_MS = 3_600_000;

/** Three times as long after each attempt up to an hour, scattered so that what failed together does not return so. */
export const pauseAfter = (attempt: number): number =>
  Math.min(LONGEST_MS, FIRST_MS * 3 ** (attempt - 1)) * (0.9 + Math.random() / 5);
