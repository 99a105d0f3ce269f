import { isMissingStream, translated } from './failures.ts';

export const PAGE = 1_000;

export type Reading<T> = AsyncIterable<T> & {
  readonly on: (event: 'error', listener: () => void) => unknown;
  readonly cancel: () => Promise<void>;
};

/** Of a page up to here. A heavy one keeps whatever else comes over its connection waiting; behind a full one nothing is taken. */
export type Weight = 'light' | 'heavy' | 'full';

export type Taking<T, R> = {
  /** What is kept of it. */
  readonly keep: (item: T) => R;
  /** Asked once of each item in turn. */
  readonly weigh: (kept: R) => Weight;
};

export type Taken<R> = { readonly items: readonly R[]; readonly isCut: boolean };

/**
 * Always to its end: a read that is left in the middle stays open at the server, and one that is cancelled and then left
 * is never forgotten by the client, whose `dispose` then waits for it for ever. Hence pages, and of one that is cut short
 * what had come is passed over. The listener is needed: without one, an error ends the process.
 */
export const wholePage = async <T, R>(
  read: Reading<T>,
  heard: (weight: Weight) => void,
  { keep, weigh }: Taking<T, R>,
): Promise<Taken<R>> => {
  read.on('error', () => undefined);
  const items: R[] = [];
  let isCut = false;
  try {
    for await (const item of read) {
      if (isCut) {
        heard('heavy');
        continue;
      }
      const kept = keep(item);
      items.push(kept);
      const weight = weigh(kept);
      heard(weight);
      if (weight !== 'full') continue;
      isCut = true;
      void read.cancel().catch(() => undefined);
    }
    return { items, isCut };
  } catch (error) {
    if (isMissingStream(error)) return { items: [], isCut };
    throw translated(error);
  }
};
