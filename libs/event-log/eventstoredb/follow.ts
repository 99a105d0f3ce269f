import { growingPause } from '#platform/pause';
import { matches } from '../matches.ts';
import type { Position } from '../position.ts';
import type { FollowOptions, StoredBatch } from '../store.ts';
import { live } from './live.ts';
import type { Behind } from './read-all.ts';
import type { Tail } from './tail.ts';

/** Without news for so long there is no hurry any more that a subscription could not follow. */
const QUIET_MS = 250;

/** Until what others append is looked for again. */
const lookAgain = growingPause({ firstMs: 5, mostMs: 50 });

type Following = Behind & { readonly tail: Tail };

/** In pages, which no server drops, until nothing has come for a while. */
async function* untilQuiet(
  { pace, tail }: Following,
  { after, filter, batchSize, signal }: FollowOptions,
  newsAt: number,
) {
  let place = after;
  let news = newsAt;
  for (let empty = 0; !signal.aborted; ) {
    const seen = pace.rings();
    const page = await tail.behind(place, batchSize);
    if (page) {
      place = page.position;
      yield { ...page, events: page.events.filter((event) => matches(filter, event)) };
      [news, empty] = [performance.now(), 0];
      continue;
    }
    if (performance.now() - news > QUIET_MS && !pace.isFast()) return;
    await pace.wait(seen, lookAgain(empty++), signal);
  }
}

/**
 * By a subscription while little comes, which costs nothing while nothing comes and tells each event at once, and in pages
 * while much does.
 */
export async function* follow(log: Following, options: FollowOptions): AsyncGenerator<StoredBatch> {
  let after: Position | undefined = options.after;
  for (let newsAt = Number.NEGATIVE_INFINITY; !options.signal.aborted; newsAt = performance.now()) {
    for (const way of [untilQuiet, live])
      for await (const batch of way(log, { ...options, after }, newsAt)) {
        yield batch;
        after = batch.position;
      }
  }
}
