import { unlessAborted } from '#platform/pause';
import { reasonOf } from '#platform/reason';
import { LogReadOnly } from '../errors.ts';
import type { SameLog } from '../label.ts';
import { ConnectionLost, NotAsked, WritesRefused } from '../store.ts';
import type { AtItsNode } from './head-never-back.ts';

/** As a store says that it cannot know. */
export const asking =
  (same: () => SameLog): (() => Promise<void>) =>
  async () => {
    try {
      await same().isOurs();
    } catch (cause) {
      throw new NotAsked(`EventStoreDB: not sent: ${reasonOf(cause)}`, { cause });
    }
  };

/**
 * A try whose answer was lost, or was none, is sent again over another connection, behind which may be another log. What
 * goes on, as reads of pages and followers do, goes on over more than one: what has come over the next may be of another.
 */
export const askingBefore = (store: AtItsNode, same: () => SameLog): AtItsNode => {
  const whose = asking(same);
  const exchanges = (): number => same().exchanges();
  let asked = exchanges();

  /** What is remembered of the log may have come over any connection until then. */
  const ask = async (): Promise<void> => {
    await whose();
    if (exchanges() === asked) return;
    asked = exchanges();
    store.forget();
  };

  /** As of a server that answers and takes no writes: reads go on, and what was to be written is not written. */
  const checkWhole = async (): Promise<void> => {
    try {
      await same().isWhole();
    } catch (cause) {
      const Refused = cause instanceof LogReadOnly ? WritesRefused : NotAsked;
      throw new Refused(`EventStoreDB: not sent: ${reasonOf(cause)}`, { cause });
    }
  };

  const checkSame = (before: number, cause?: unknown): void => {
    if (exchanges() !== before) throw new ConnectionLost('EventStoreDB: connected to anew under a call', { cause });
  };

  /** What comes over the next connection is no answer, nor is it known then what became of what was asked. */
  const overOneConnection = async <T>(before: number, answer: Promise<T>): Promise<T> => {
    const given = await answer.catch((error: unknown) => {
      if (!(error instanceof ConnectionLost)) checkSame(before, error);
      throw error;
    });
    checkSame(before);
    return given;
  };

  const calling =
    <Asked extends unknown[], T>(call: (...asked: Asked) => Promise<T>, check = ask) =>
    async (...options: Asked): Promise<T> => {
      await check();
      return overOneConnection(exchanges(), call(...options));
    };

  async function* reading<T>(read: () => AsyncIterable<T>, begin = ask): AsyncGenerator<T> {
    await begin();
    const before = exchanges();
    const items = read()[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await overOneConnection(before, items.next());
        if (done) return;
        yield value;
      }
    } finally {
      await items.return?.();
    }
  }

  return {
    ...store,
    append: calling(store.append, async () => {
      // What comes to stand there while it is asked what it lacks is asked whose it is, too.
      for (let before: number | undefined; before !== exchanges(); ) {
        before = exchanges();
        await ask();
        await checkWhole();
      }
    }),
    lastRevision: calling(store.lastRevision),
    readStream: (...options) => reading(() => store.readStream(...options)),
    readAll: (...options) => reading(() => store.readAll(...options)),
    readByStream: (...options) => reading(() => store.readByStream(...options)),
    follow: (options) => {
      const begin = () => unlessAborted(ask(), options.signal);
      return reading(() => store.follow(options), begin);
    },
  };
};
