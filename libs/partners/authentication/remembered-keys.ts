import { createMemory, type MemoryOptions } from '#platform/remembered';
import type { KeyRecord, KeyStore } from './key-record.ts';

export type RememberedKeys = KeyStore & { readonly forget: () => void };

/** The store of keys, asked at most once in a while for each key. */
export const rememberKeys = (store: KeyStore, options: MemoryOptions = {}): RememberedKeys => {
  const { look, forget } = createMemory<KeyRecord | undefined>(options);
  return {
    byId: (id) => look(`id ${id}`, () => store.byId(id)),
    byHash: (hash) => look(`hash ${hash.toString('hex')}`, () => store.byHash(hash)),
    forget,
  };
};
