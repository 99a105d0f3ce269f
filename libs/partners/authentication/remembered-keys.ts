import { LRUCache } from 'lru-cache';
import type { KeyRecord, KeyStore } from './key-record.ts';

export type RememberedKeys = KeyStore & {
  /** After a change: the next look goes to the store. */
  readonly forget: () => void;
};

type Remembered = { readonly askedAt: number; readonly record: Promise<KeyRecord | undefined> };

export type MemoryOptions = { readonly ttlMs?: number; readonly max?: number; readonly now?: () => number };

/** "On the others within a second", also when the notice of a change gets lost on its way. */
const TTL_MS = 900;

/**
 * Spares the database a question per request. What is remembered is as old as the question that fetched it, so
 * nothing is believed longer than the time to live. Unknown keys are remembered too.
 */
export const rememberKeys = (
  store: KeyStore,
  { ttlMs = TTL_MS, max = 10_000, now = () => performance.now() }: MemoryOptions = {},
): RememberedKeys => {
  const memory = new LRUCache<string, Remembered>({ max });

  const look = (name: string, ask: () => Promise<KeyRecord | undefined>): Promise<KeyRecord | undefined> => {
    const known = memory.get(name);
    if (known && now() - known.askedAt < ttlMs) return known.record;
    const asked: Remembered = { askedAt: now(), record: ask() };
    memory.set(name, asked);
    asked.record.catch(() => {
      if (memory.peek(name) === asked) memory.delete(name);
    });
    return asked.record;
  };

  return {
    byId: (id) => look(`id ${id}`, () => store.byId(id)),
    byHash: (hash) => look(`hash ${hash.toString('hex')}`, () => store.byHash(hash)),
    forget: () => memory.clear(),
  };
};
