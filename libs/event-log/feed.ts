import { EventEmitter } from 'node:events';
import { eventWithin, pause } from '#platform/pause';
import { isBefore, type Position } from './position.ts';
import { createRecent, type Recent } from './recent.ts';
import { ConnectionLost, type EventStore, type FollowOptions, type StoredBatch } from './store.ts';

const PAGE = 500;

/** Read no more often than this while events keep coming. */
const READ_EVERY_MS = 4;

/** Behind a quiet time so many pages wait for nothing: what one call appends may come in several statements. */
const [QUIET_MS, AT_ONCE] = [10, 3];

/** A batch costs most followers a transaction, and larger ones cost few; who is in a hurry, or has time, says so. */
const HAND_ON_EVERY_MS = 10;

/** Nothing depends on it: a bell that was missed would be one of ours. */
const LOOK_AGAIN_MS = 1_000;

/**
 * The end of the log as this process reads it, once for all who follow. Whoever is behind what is at hand reads by itself
 * until it has caught up.
 */
type Feed = Pick<Recent, 'from' | 'behind'> & {
  readonly next: (signal: AbortSignal) => Promise<void>;
  readonly failure: () => unknown;
  readonly stop: () => void;
};

type Following = Pick<EventStore, 'follow'>;

const startFeed = (store: Following, start: Position | undefined, onFailure: () => void): Feed => {
  const bell = new EventEmitter().setMaxListeners(0);
  const stopping = new AbortController();
  const { signal } = stopping;
  const recent = createRecent(start);
  let failure: unknown;

  const read = async (): Promise<void> => {
    let [inARow, readAt] = [0, Number.NEGATIVE_INFINITY];
    for await (const batch of store.follow({ after: start, filter: undefined, batchSize: PAGE, signal })) {
      recent.keep(batch);
      bell.emit('more');
      inARow = performance.now() - readAt < QUIET_MS ? inARow + 1 : 1;
      if (batch.events.length < PAGE && inARow > AT_ONCE) await pause(READ_EVERY_MS, signal);
      readAt = performance.now();
    }
  };
  read().catch((error: unknown) => {
    failure = error;
    onFailure();
    bell.emit('more');
  });

  return {
    ...recent,
    next: (over) => eventWithin(bell, 'more', LOOK_AGAIN_MS, over),
    failure: () => failure,
    stop: () => stopping.abort(),
  };
};

/** By itself, until it has come to what is at hand. */
async function* catchUp(store: Following, shared: Feed, options: FollowOptions): AsyncGenerator<StoredBatch> {
  for await (const batch of store.follow(options)) {
    yield batch;
    if (!isBefore(batch.position, shared.from())) return;
  }
}

/** While it is not so slow that what it wants is at hand no more. */
async function* goAlong(shared: Feed, options: FollowOptions): AsyncGenerator<StoredBatch> {
  const { everyMs = HAND_ON_EVERY_MS } = options;
  let place = options.after;
  while (!options.signal.aborted && shared.failure() === undefined && !isBefore(place, shared.from())) {
    const batch = shared.behind(place, options);
    if (batch) {
      const since = performance.now();
      yield batch;
      place = batch.position;
      const rest = since + everyMs - performance.now();
      if (rest > 0 && batch.events.length < options.batchSize) await pause(rest, options.signal);
    } else await shared.next(options.signal);
  }
}

async function* firstOf(batches: AsyncIterable<StoredBatch>): AsyncGenerator<StoredBatch> {
  for await (const batch of batches) {
    yield batch;
    return;
  }
}

/** Until the shared reader has failed. What one follower may pass over must not end the others: they share another. */
async function* followWith(store: Following, shared: Feed, options: FollowOptions): AsyncGenerator<StoredBatch> {
  let after = options.after;
  while (!options.signal.aborted) {
    const own = { ...options, after };
    const failure = shared.failure();
    if (failure instanceof ConnectionLost) throw failure;
    // Each meets it by itself, or does not.
    if (failure !== undefined) return yield* firstOf(store.follow(own));
    const source = isBefore(after, shared.from()) ? catchUp(store, shared, own) : goAlong(shared, own);
    for await (const batch of source) {
      yield batch;
      after = batch.position;
    }
  }
}

type Shared = { readonly feed: Promise<Feed>; followers: number };

/**
 * All who follow the log in one process share one reader, which asks and parses once. Whoever starts further back
 * reads alone until it has come to where the shared one began.
 */
export const withFeed = (store: EventStore): EventStore => {
  let shared: Shared | undefined;

  /** The next to join starts another, behind what is there then. */
  const forget = (one: Shared): void => {
    if (shared === one) shared = undefined;
  };

  const open = (): Shared => {
    const onFailure = (): void => forget(opened);
    const feed = store.head().then((head) => startFeed(store, head, onFailure));
    const opened: Shared = { feed, followers: 0 };
    feed.catch(onFailure);
    return opened;
  };

  const join = (): Shared => {
    shared ??= open();
    shared.followers += 1;
    return shared;
  };

  /** The last one stops it, also where others share another by now. */
  const leave = (joined: Shared): void => {
    joined.followers -= 1;
    if (joined.followers > 0) return;
    forget(joined);
    joined.feed.then(
      ({ stop }) => stop(),
      () => undefined,
    );
  };

  async function* follow(options: FollowOptions): AsyncGenerator<StoredBatch> {
    let after = options.after;
    while (!options.signal.aborted) {
      const joined = join();
      try {
        for await (const batch of followWith(store, await joined.feed, { ...options, after })) {
          yield batch;
          after = batch.position;
        }
      } finally {
        leave(joined);
      }
    }
  }

  return { ...store, follow };
};
