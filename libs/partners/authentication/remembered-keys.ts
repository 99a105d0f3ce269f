import type { KeyRecord, KeyStore } from './key-record.ts';
import type { LookUps, Shown } from './look-ups.ts';

export type RememberedKeys = {
  readonly byId: (id: number, shown: Shown) => Promise<KeyRecord | undefined>;
  readonly byHash: (shown: Shown) => Promise<KeyRecord | undefined>;
};

/** The store of keys, asked at most once in a while for each key. */
export const rememberKeys = (store: KeyStore, { find }: Pick<LookUps<KeyRecord>, 'find'>): RememberedKeys => ({
  byId: (id, shown) => find(`id ${id}`, shown, () => store.byId(id)),
  byHash: (shown) => find(`hash ${shown.hash.toString('hex')}`, shown, () => store.byHash(shown.hash)),
});
