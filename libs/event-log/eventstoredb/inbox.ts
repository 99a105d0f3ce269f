import type { Position } from '../position.ts';
import type { StoredBatch, StoredEvent } from '../store.ts';

type Item = { readonly position: Position; readonly event?: StoredEvent };

export type Inbox = {
  readonly put: (item: Item) => void;
  /** What has come is still handed out; then `take` throws this. */
  readonly fail: (error: Error) => void;
  /** Takes no more; what has come is still handed out. */
  readonly close: () => void;
  /** What has come since the last time, at least one item; undefined once `signal` has aborted, or behind the last. */
  readonly take: (most: number, signal: AbortSignal) => Promise<StoredBatch | undefined>;
};

const batchOf = (items: readonly Item[]): StoredBatch | undefined => {
  const position = items.at(-1)?.position;
  return position === undefined
    ? undefined
    : { position, events: items.map(({ event }) => event).filter((event) => event !== undefined) };
};

/** Between a subscription that pushes and a reader that asks. */
export const createInbox = (): Inbox => {
  const items: Item[] = [];
  let failure: Error | undefined;
  let closed = false;
  let wake = (): void => undefined;

  /** Takes its listener away again, since one signal lasts through many waits. */
  const news = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      wake = () => {
        signal.removeEventListener('abort', wake);
        resolve();
      };
      signal.addEventListener('abort', wake);
    });

  return {
    put: (item) => {
      if (closed) return;
      items.push(item);
      wake();
    },
    close: () => {
      closed = true;
      wake();
    },
    fail: (error) => {
      failure ??= error;
      wake();
    },
    take: async (most, signal) => {
      while (items.length === 0 && !signal.aborted) {
        if (closed) return undefined;
        if (failure) throw failure;
        await news(signal);
        // What arrives in the same turn belongs into the same batch.
        await new Promise((resolve) => setImmediate(resolve));
      }
      return signal.aborted ? undefined : batchOf(items.splice(0, most));
    },
  };
};
