const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** After the previous attempt; behind the last of them the delivery is dead. */
const RETRY_AFTER_MS = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
];

const JITTER = 0.2;

const LONGEST_ASKED_MS = HOUR;

/** Who asks for nothing would be called without a pause. */
const SHORTEST_ASKED_MS = SECOND;

/** An endpoint that says when it will be ready again, in seconds or as a date; undefined for anything else. */
const askedMs = (retryAfter: string | null, now: Date): number | undefined => {
  if (retryAfter === null) return undefined;
  const text = retryAfter.trim();
  if (!/^(\d+$|[A-Z])/.test(text)) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * SECOND : Date.parse(text) - now.getTime();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, SHORTEST_ASKED_MS), LONGEST_ASKED_MS);
};

export type Failure = {
  /** Failures so far, this one among them. */
  readonly failures: number;
  readonly statusCode: number | null;
  readonly retryAfter: string | null;
};

/**
 * How long until the next attempt; undefined when there is none. `dice` is from 0 to 1. Whoever asks to be called sooner
 * than planned is so once: each attempt is one of ten, and one that says "in a second" for a minute would be given up.
 */
export const nextAttemptInMs = (
  { failures, statusCode, retryAfter }: Failure,
  now: Date,
  dice: () => number = Math.random,
): number | undefined => {
  const planned = RETRY_AFTER_MS[failures - 1];
  if (planned === undefined) return undefined;
  const scattered = Math.round(planned * (1 - JITTER + 2 * JITTER * dice()));
  const asked = statusCode === 429 || statusCode === 503 ? askedMs(retryAfter, now) : undefined;
  if (asked === undefined || failures === 1) return asked ?? scattered;
  return Math.max(asked, scattered);
};
