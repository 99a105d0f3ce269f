import { reasonOf } from '#platform/reason';
import type { SameLog } from '../label.ts';
import { NotAsked } from '../store.ts';
import type { AtItsNode } from './head-never-back.ts';

/** A try whose answer was lost, or was none, is sent again over another connection, behind which may be another log. */
export const askingBefore = (store: AtItsNode, { isAsked, isOurs }: SameLog): AtItsNode => {
  const ask = async (): Promise<void> => {
    try {
      await isOurs();
    } catch (cause) {
      throw new NotAsked(`EventStoreDB: not sent: ${reasonOf(cause)}`, { cause });
    }
  };

  const calling =
    <Asked extends unknown[], T>(call: (...asked: Asked) => Promise<T>) =>
    async (...asked: Asked): Promise<T> => {
      await ask();
      return call(...asked);
    };

  async function* readBehind<T>(read: () => AsyncIterable<T>): AsyncGenerator<T> {
    await ask();
    yield* read();
  }

  const reading =
    <Asked extends unknown[], T>(read: (...asked: Asked) => AsyncIterable<T>) =>
    (...asked: Asked): AsyncIterable<T> =>
      isAsked() ? read(...asked) : readBehind(() => read(...asked));

  return {
    ...store,
    append: calling(store.append),
    lastRevision: calling(store.lastRevision),
    readStream: reading(store.readStream),
    readAll: reading(store.readAll),
    readByStream: reading(store.readByStream),
  };
};
