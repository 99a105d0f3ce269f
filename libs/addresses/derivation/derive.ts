import { LRUCache } from 'lru-cache';
import type { Ticker } from '#money';
import { bitcoinLikeAddress } from './bitcoin-like.ts';
import { childKeysOf } from './child-keys.ts';
import { ethereumAddress } from './ethereum.ts';
import { type ExtendedKey, parseExtendedKey } from './extended-key.ts';
import { networks } from './networks.ts';

const encode = (currency: Ticker, publicKey: Uint8Array, { script }: ExtendedKey): string =>
  currency === 'ETH' ? ethereumAddress(publicKey) : bitcoinLikeAddress(publicKey, script, networks[currency]);

/** The receiving address of each index. */
export type Derive = (index: number) => string;

const made = new LRUCache<string, Derive>({ max: 100 });

const makeDeriver = (currency: Ticker, xpub: string): Derive => {
  const key = parseExtendedKey(currency, xpub);
  const childOf = childKeysOf(key.chain);
  return (index) => encode(currency, childOf(index), key);
};

/** Kept: to make one costs as much as five addresses. Throws `NoExtendedKey` for a text that is none of that currency. */
export const deriverOf = (currency: Ticker, xpub: string): Derive => {
  const name = `${currency} ${xpub}`;
  const derive = made.get(name) ?? makeDeriver(currency, xpub);
  made.set(name, derive);
  return derive;
};
