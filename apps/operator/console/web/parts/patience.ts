/** An answer that is lost without an error never comes: what is on its way is given up, and asked for again. */
export const PATIENCE_MS = 30_000;

/** What may be as long as a history comes over a slow line too. */
export const LONG_PATIENCE_MS = 10 * 60_000;

export const silence = (within: number): string => `No answer has come within ${within / 1_000} seconds`;

export const unheard = (within: number): string => `${silence(within)}: it is asked for again`;
