import { endsWithin } from '#platform/pause';
import type { Freshness } from '#read-models';

export type ReadModel = Pick<Freshness, 'isUpToDate'>;

const WITHIN_MS = 1_000;

/**
 * For what is shown of several read models and also while one of them stands still: what was written before the call is
 * waited for, for a moment and no longer.
 */
export const caughtUp = async (readModels: readonly ReadModel[]): Promise<void> => {
  const all = Promise.allSettled(readModels.map(({ isUpToDate }) => isUpToDate(WITHIN_MS)));
  await endsWithin(all, WITHIN_MS);
};
