import { isMissingStream, translated } from './failures.ts';

export const PAGE = 1_000;

export type Reading<T> = AsyncIterable<T> & { readonly on: (event: 'error', listener: () => void) => unknown };

/**
 * Always to its end: a read that is left in the middle stays open at the server, and one that is cancelled is never
 * forgotten by the client, whose `dispose` then waits for it for ever. Hence pages. The listener is needed: without
 * one, an error ends the process.
 */
export const wholePage = async <T>(read: Reading<T>, heard: () => void): Promise<T[]> => {
  read.on('error', () => undefined);
  const page: T[] = [];
  try {
    for await (const item of read) {
      heard();
      page.push(item);
    }
    return page;
  } catch (error) {
    if (isMissingStream(error)) return [];
    throw translated(error);
  }
};
