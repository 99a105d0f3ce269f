import { LRUCache } from 'lru-cache';
import type { Patience } from './persistence.ts';
import { readStream } from './read.ts';
import { type EventStore, NOTHING, type StoredEvent } from './store.ts';

export type Place = { readonly revision: number; readonly hash: string | null };

export type Heads = {
  /** Revision and hash there; undefined where the stream is shorter. */
  readonly at: (stream: string, revision: number) => Promise<Place | undefined>;
  /** The furthest that was read or written here; undefined where nothing is remembered. */
  readonly known: (stream: string) => Place | undefined;
  readonly last: (stream: string) => Promise<StoredEvent | undefined>;
  /** The newest `count` events, oldest first. */
  readonly recent: (stream: string, count: number) => Promise<readonly StoredEvent[]>;
  readonly remember: (stream: string, place: { readonly revision: number; readonly hash: string }) => void;
};

export const headOf = (last: StoredEvent | undefined): number | 'no_stream' => last?.revision ?? 'no_stream';

const KEPT_STREAMS = 20_000;

/**
 * The hash that the next event of a stream has to name. An event never changes once written, so what was read or
 * written at a revision stays true: whoever has folded a stream appends to it without another round trip.
 */
export const createHeads = (store: EventStore, patience: Patience): Heads => {
  const known = new LRUCache<string, Place>({ max: KEPT_STREAMS });
  const newest = (stream: string, limit: number) =>
    Array.fromAsync(readStream(store, patience, stream, { direction: 'backwards', limit }));

  return {
    at: async (stream, revision) => {
      if (revision === NOTHING) return { revision, hash: null };
      const place = known.get(stream);
      if (place?.revision === revision) return place;
      const [event] = await Array.fromAsync(readStream(store, patience, stream, { from: revision, limit: 1 }));
      return event && { revision, hash: event.metadata.hash };
    },
    known: (stream) => known.get(stream),
    last: async (stream) => (await newest(stream, 1))[0],
    recent: async (stream, count) => (await newest(stream, count)).reverse(),
    remember: (stream, { revision, hash }) => {
      if ((known.get(stream)?.revision ?? NOTHING) < revision) known.set(stream, { revision, hash });
    },
  };
};
