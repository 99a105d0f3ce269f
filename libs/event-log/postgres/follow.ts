import type pg from 'pg';
import type { FollowOptions, StoredBatch } from '../store.ts';
import { isMoreComing, readPage } from './read-all.ts';
import type { Wake } from './wake.ts';

/** Rings are a courtesy: without any, a reader looks again after this time. */
const POLL_MS = 250;

/** How soon to look again while a running transaction hides events that are already there. */
const HIDDEN_FIRST_MS = 1;
const HIDDEN_LONGEST_MS = 50;

export async function* follow(
  pool: pg.Pool,
  wake: Wake,
  { after, filter, batchSize, signal }: FollowOptions,
): AsyncGenerator<StoredBatch> {
  let place = after;
  let hiddenMs = HIDDEN_FIRST_MS;
  while (!signal.aborted) {
    const seen = wake.rings();
    const { events, position } = await readPage(pool, place, batchSize, filter);
    if (position !== undefined) {
      place = position;
      hiddenMs = HIDDEN_FIRST_MS;
      yield { events, position };
      continue;
    }
    if (await isMoreComing(pool, place)) {
      await wake.wait(wake.rings(), hiddenMs, signal);
      hiddenMs = Math.min(HIDDEN_LONGEST_MS, hiddenMs * 2);
    } else {
      hiddenMs = HIDDEN_FIRST_MS;
      await wake.wait(seen, POLL_MS, signal);
    }
  }
}
