import { tellHistoryAsBefore } from '#ground';
import type { Queryable } from '#platform/postgres';
import { type AcceptedEnd, NOTHING_THERE } from '#read-models';

/**
 * What the watcher told of these histories it tells once more, with their acceptance: the chain goes on from where it is,
 * and nobody else would. Whoever is in no history is told nothing, until he is made again.
 */
export const tellEndsAsBefore = async (db: Queryable, accepted: readonly AcceptedEnd[]): Promise<void> => {
  for (const { stream, endsAt } of accepted) if (endsAt > NOTHING_THERE) await tellHistoryAsBefore(db, stream);
};
