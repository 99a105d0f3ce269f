import { depositStream } from '#deposit-commands';
import { toldBy } from '#engine';
import type { Queryable } from '#platform/postgres';
import { withAcceptedEnds } from '#read-models';
import { type RawSignal, tellAsBefore, WATCHER } from '#watch';

/** What the watcher told of it. Others have their own record of what they told. */
export const tellHistoryAsBefore = async (db: Queryable, stream: string): Promise<void> =>
  tellAsBefore(db, (await toldBy(db, WATCHER, stream)) as readonly RawSignal[]);

/**
 * A deposit of which nothing was left is made again by its Idempotency-Key, with its address: what the chain paid to it
 * nobody else would tell. One that is there already knows what it is told.
 */
export const tellRepeated = async (db: Queryable, depositId: number): Promise<void> => {
  const stream = depositStream(depositId);
  if ((await withAcceptedEnds(db, [stream])).size > 0) await tellHistoryAsBefore(db, stream);
};
