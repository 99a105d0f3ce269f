import { LRUCache } from 'lru-cache';
import type { Ticker } from '#money';
import { bitcoinLikeAddress } from './bitcoin-like.ts';
import { childKeysOf } from './child-keys.ts';
import { ethereumAddress } from './ethereum.ts';
import { parseExtendedKey } from './extended-key.ts';
import { networks } from './networks.ts';

/** The receiving address of each index. */
export type Derive = (index: number) => string;

const made = new LRUCache<string, Derive>({ max: 100 });

const makeDeriver = (currency: Ticker, xpub: string): Derive => {
  const { chain, script } = parseExtendedKey(currency, xpub);
  const { compressed, whole } = childKeysOf(chain);
  if (currency === 'ETH') return (index) => ethereumAddress(whole(index));
  return (index) => bitcoinLikeAddress(compressed(index), script, networks[currency]);
};

/** Kept: to make one costs as much as five addresses. Throws `NoExtendedKey` for a text that is none of that currency. */
export const deriverOf = (currency: Ticker, xpub: string): Derive => {
  const name = `${currency} ${xpub}`;
  const derive = made.get(name) ?? makeDeriver(currency, xpub);
  made.set(name, derive);
  return derive;
};
