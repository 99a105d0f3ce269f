import type { Currency } from '#money';
import { bitcoin, bitcoinLikeAddress, litecoin } from './bitcoin-like.ts';
import { ethereumAddress } from './ethereum.ts';
import { type ExtendedKey, parseExtendedKey } from './extended-key.ts';

const encode = (currency: Currency, publicKey: Uint8Array, { script }: ExtendedKey): string => {
  switch (currency) {
    case 'BTC':
      return bitcoinLikeAddress(publicKey, script, bitcoin);
    case 'LTC':
      return bitcoinLikeAddress(publicKey, script, litecoin);
    case 'ETH':
      return ethereumAddress(publicKey);
  }
};

/** The receiving address of each index. */
export type Derive = (index: number) => string;

/** Throws `NoExtendedKey` for a text that is none of that currency. */
export const deriverOf = (currency: Currency, xpub: string): Derive => {
  const key = parseExtendedKey(currency, xpub);
  return (index) => {
    const { publicKey } = key.chain.deriveChild(index);
    if (!publicKey) throw new Error(`no public key of ${currency} at index ${index}`);
    return encode(currency, publicKey, key);
  };
};
