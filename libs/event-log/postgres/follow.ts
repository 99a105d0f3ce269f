import type pg from 'pg';
import { growingPause } from '#platform/pause';
import { isBefore } from '../position.ts';
import type { FollowOptions, StoredBatch } from '../store.ts';
import { isMoreComing, readPage } from './read-all.ts';
import type { Wake } from './wake.ts';

/** Rings are a courtesy: without any, a reader looks again after this time. */
const POLL_MS = 250;

/** How soon to look again while a running transaction hides events that are already there. */
const hiddenPause = growingPause({ firstMs: 1, mostMs: 50 });

export async function* follow(
  pool: pg.Pool,
  wake: Wake,
  { after, filter, batchSize, signal }: FollowOptions,
): AsyncGenerator<StoredBatch> {
  let place = after;
  let hidden = 0;
  while (!signal.aborted) {
    const seen = wake.rings();
    const { events, position } = await readPage(pool, place, batchSize, filter);
    if (position !== undefined) {
      place = position;
      hidden = 0;
      yield { events, position };
      continue;
    }
    if (isBefore(place, wake.newestHere()) || (await isMoreComing(pool, place))) {
      await wake.wait(wake.rings(), hiddenPause(hidden++), signal);
    } else {
      hidden = 0;
      await wake.wait(seen, POLL_MS, signal);
    }
  }
}
