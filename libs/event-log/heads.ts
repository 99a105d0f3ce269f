import type { Patience } from './persistence.ts';
import { readStream } from './read.ts';
import type { Seen } from './seen.ts';
import { NOTHING, type StoredEvent } from './store.ts';

export type Place = { readonly revision: number; readonly hash: string | null };

export type Heads = {
  /** Revision and hash there; undefined where the stream is shorter. */
  readonly at: (stream: string, revision: number) => Promise<Place | undefined>;
  readonly last: (stream: string) => Promise<StoredEvent | undefined>;
  /** The newest `count` events, oldest first. */
  readonly recent: (stream: string, count: number) => Promise<readonly StoredEvent[]>;
};

export const headOf = (last: StoredEvent | undefined): number | 'no_stream' => last?.revision ?? 'no_stream';

/**
 * The hash that the next event of a stream has to name. An event never changes once written, so what was seen at a
 * revision stays true: whoever has folded a stream appends to it without another round trip.
 */
export const createHeads = ({ of, store }: Seen, patience: Patience): Heads => {
  const newest = (stream: string, limit: number) =>
    Array.fromAsync(readStream(store, patience, stream, { direction: 'backwards', limit }));

  return {
    at: async (stream, revision) => {
      if (revision === NOTHING) return { revision, hash: null };
      const seen = of(stream);
      if (seen?.revision === revision && seen.hash !== undefined) return { revision, hash: seen.hash };
      const [event] = await Array.fromAsync(readStream(store, patience, stream, { from: revision, limit: 1 }));
      return event && { revision, hash: event.metadata.hash };
    },
    last: async (stream) => (await newest(stream, 1))[0],
    recent: async (stream, count) => (await newest(stream, count)).reverse(),
  };
};
