import type { PaymentKey } from './payment.ts';
import type { ScreeningAlarm } from './words.ts';

/** What an operator may have to look at: an answer of screening or money under it, a batch, the loss of a payment. */
export type CameUp = 'kyt' | 'batch' | ScreeningAlarm | PaymentKey;

/**
 * At which revision each came up last: what was overruled and comes up again is another. In a few maps, each larger than
 * all after it, of which the last that has it holds: one map would be copied for each of thousands of lost payments.
 */
export type Since = readonly ReadonlyMap<CameUp, number>[];

export const nothingCameUp: Since = [];

const withPart = (since: Since, part: ReadonlyMap<CameUp, number>): Since => {
  const last = since.at(-1);
  return last && last.size <= part.size ? withPart(since.slice(0, -1), new Map([...last, ...part])) : [...since, part];
};

export const withCameUp = (since: Since, what: readonly CameUp[], revision: number): Since =>
  withPart(since, new Map(what.map((each) => [each, revision])));

/** undefined: it never did. */
export const cameUpAt = (since: Since, what: CameUp): number | undefined =>
  since.findLast((part) => part.has(what))?.get(what);
