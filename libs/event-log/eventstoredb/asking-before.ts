import { unlessAborted } from '#platform/pause';
import { reasonOf } from '#platform/reason';
import type { SameLog } from '../label.ts';
import { ConnectionLost, type FollowOptions, NotAsked, type StoredBatch } from '../store.ts';
import type { AtItsNode } from './head-never-back.ts';

/** As a store says that it cannot know. */
export const asking =
  ({ isOurs }: SameLog): (() => Promise<void>) =>
  async () => {
    try {
      await isOurs();
    } catch (cause) {
      throw new NotAsked(`EventStoreDB: not sent: ${reasonOf(cause)}`, { cause });
    }
  };

/** A try whose answer was lost, or was none, is sent again over another connection, behind which may be another log. */
export const askingBefore = (store: AtItsNode, same: SameLog): AtItsNode => {
  const { exchanges, isAsked } = same;
  const whose = asking(same);
  let asked = exchanges();

  /** What is remembered of the log may have come over any connection until then. */
  const ask = async (): Promise<void> => {
    await whose();
    if (exchanges() === asked) return;
    asked = exchanges();
    store.forget();
  };

  const calling =
    <Asked extends unknown[], T>(call: (...asked: Asked) => Promise<T>) =>
    async (...options: Asked): Promise<T> => {
      await ask();
      return call(...options);
    };

  async function* readBehind<T>(read: () => AsyncIterable<T>): AsyncGenerator<T> {
    await ask();
    yield* read();
  }

  const reading =
    <Asked extends unknown[], T>(read: (...asked: Asked) => AsyncIterable<T>) =>
    (...options: Asked): AsyncIterable<T> =>
      isAsked() && exchanges() === asked ? read(...options) : readBehind(() => read(...options));

  /** It goes on over more than one connection: what has come over the next one may be of another log. */
  async function* follow(options: FollowOptions): AsyncGenerator<StoredBatch> {
    await unlessAborted(ask(), options.signal);
    const before = exchanges();
    for await (const batch of store.follow(options)) {
      if (exchanges() !== before) throw new ConnectionLost('EventStoreDB: connected to anew under a follower');
      yield batch;
    }
  }

  return {
    ...store,
    append: calling(store.append),
    lastRevision: calling(store.lastRevision),
    readStream: reading(store.readStream),
    readAll: reading(store.readAll),
    readByStream: reading(store.readByStream),
    follow,
  };
};
