import { growingPause, pause } from '#platform/pause';
import { matches } from '../matches.ts';
import type { Position } from '../position.ts';
import type { FollowOptions, StoredBatch } from '../store.ts';
import { live } from './live.ts';
import { createRoom } from './room.ts';
import type { Following } from './tail.ts';

/** Long enough that what made it leave is over. */
const STAY_MS = 250;

/** A page costs as much as ten events, and comes no more often unless it was full. */
const PAGE_EVERY_MS = 8;

/** Until what others append is looked for again. */
const lookAgain = growingPause({ firstMs: 5, mostMs: 50 });

/** In pages, which no server drops, until no more comes than a subscription can follow. */
async function* untilSlow(
  { pace, tail }: Following,
  { after, filter, batchSize, signal }: FollowOptions,
  leftAt: number,
) {
  const room = createRoom();
  let place = after;
  for (let empty = 0; !signal.aborted; ) {
    const [seen, readAt] = [pace.rings(), performance.now()];
    const page = await tail.behind(place, batchSize, room);
    if (page) {
      place = page.position;
      yield { ...page, events: page.events.filter((event) => matches(filter, event)) };
      empty = 0;
      const rest = readAt + PAGE_EVERY_MS - performance.now();
      if (rest > 0 && page.events.length < batchSize) await pause(rest, signal);
    } else if (performance.now() - leftAt > STAY_MS && !pace.isFast()) return;
    else await pace.wait(seen, lookAgain(empty++), signal);
  }
}

/**
 * By a subscription while little comes, which costs nothing while nothing comes and tells each event at once, and in pages
 * while much does.
 */
export async function* follow(log: Following, options: FollowOptions): AsyncGenerator<StoredBatch> {
  let after: Position | undefined = options.after;
  for (let leftAt = Number.NEGATIVE_INFINITY; !options.signal.aborted; leftAt = performance.now()) {
    for (const way of [untilSlow, live])
      for await (const batch of way(log, { ...options, after }, leftAt)) {
        yield batch;
        after = batch.position;
      }
  }
}
