import type { ExposureLimits } from './exposure.ts';

export type Limits = {
  /**
   * Attempts under way at one time, on this instance, at endpoints that answer well. In them, as in the places of the
   * others, an affiliate has as many as it leaves free: half of them when it is alone.
   */
  readonly total: number;
  /** Of these to one endpoint that answers well. Also what an affiliate always has, however many others there are. */
  readonly perEndpoint: number;
  /** How many times these numbers may wait here, already claimed, so that no slot waits for the database. */
  readonly ahead: number;
  /**
   * For all endpoints together that failed or were slow the last time there are so many places beside the total, as a
   * part of it; and as many again for those that nobody knows yet.
   */
  readonly doubtfulShare: number;
  /** A good answer that takes longer is a slow one; an attempt that takes longer hangs. */
  readonly quickMs: number;
  /** What a kill may send again. */
  readonly exposure: ExposureLimits;
};

export const defaultLimits: Limits = {
  total: 512,
  perEndpoint: 8,
  ahead: 5,
  doubtfulShare: 0.5,
  quickMs: 2_000,
  exposure: { most: 100, youngMs: 50 },
};
