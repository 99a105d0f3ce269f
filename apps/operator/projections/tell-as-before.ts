import { toldBy } from '#engine';
import type { Queryable } from '#platform/postgres';
import { type AcceptedEnd, NOTHING_THERE } from '#read-models';
import { type RawSignal, tellAsBefore, WATCHER } from '#watch';

/**
 * What the watcher told of these histories it tells once more, with their acceptance: the chain goes on from where it is,
 * and nobody else would. Others have their own record of what they told. Whoever is in no history is told nothing.
 */
export const tellEndsAsBefore = async (db: Queryable, accepted: readonly AcceptedEnd[]): Promise<void> => {
  for (const { stream, endsAt } of accepted)
    if (endsAt > NOTHING_THERE) await tellAsBefore(db, (await toldBy(db, WATCHER, stream)) as readonly RawSignal[]);
};
