import { isMissingStream, translated } from './failures.ts';

export const PAGE = 1_000;

export type Reading<T> = AsyncIterable<T> & {
  readonly on: (event: 'error', listener: () => void) => unknown;
  readonly cancel: () => Promise<void>;
};

export type Taking<T, R> = {
  /** What is kept of it. */
  readonly keep: (item: T) => R;
  /** Asked once of each item in turn: behind the first of which it is true nothing is taken any more. */
  readonly isEnough: (kept: R) => boolean;
};

export type Taken<R> = { readonly items: readonly R[]; readonly isCut: boolean };

/**
 * Always to its end: a read that is left in the middle stays open at the server, and one that is cancelled and then left
 * is never forgotten by the client, whose `dispose` then waits for it for ever. Hence pages, and of one that is cut short
 * what had come is passed over. The listener is needed: without one, an error ends the process.
 */
export const wholePage = async <T, R>(
  read: Reading<T>,
  heard: () => void,
  { keep, isEnough }: Taking<T, R>,
): Promise<Taken<R>> => {
  read.on('error', () => undefined);
  const items: R[] = [];
  let isCut = false;
  try {
    for await (const item of read) {
      heard();
      if (isCut) continue;
      const kept = keep(item);
      items.push(kept);
      if (!isEnough(kept)) continue;
      isCut = true;
      void read.cancel().catch(() => undefined);
    }
    return { items, isCut };
  } catch (error) {
    if (isMissingStream(error)) return { items: [], isCut };
    throw translated(error);
  }
};
