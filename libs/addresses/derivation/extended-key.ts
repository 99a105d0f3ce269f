import { sha256 } from '@noble/hashes/sha2.js';
import { createBase58check } from '@scure/base';
import { HDKey } from '@scure/bip32';
import type { Currency } from '#money';

/** What kind of address wallets make of keys of that spelling. */
export type Script = 'p2wpkh' | 'p2sh-p2wpkh';

export type ExtendedKey = { readonly chain: HDKey; readonly script: Script };

/** A text that is no extended public key for that currency; the message says why, and never repeats the text. */
export class NoExtendedKey extends Error {}

type Public = { readonly name: string; readonly script: Script; readonly currencies: readonly Currency[] };

const PUBLIC: Readonly<Record<number, Public>> = {
  // Its own meaning is BIP44, but descriptors and most wallets now write native SegWit keys this way too.
  76067358: { name: 'xpub', script: 'p2wpkh', currencies: ['BTC', 'LTC', 'ETH'] },
  78792518: { name: 'zpub', script: 'p2wpkh', currencies: ['BTC', 'LTC'] },
  77429938: { name: 'ypub', script: 'p2sh-p2wpkh', currencies: ['BTC', 'LTC'] },
  27108450: { name: 'Ltub', script: 'p2wpkh', currencies: ['LTC'] },
  28471030: { name: 'Mtub', script: 'p2sh-p2wpkh', currencies: ['LTC'] },
};

/** xprv, yprv, zprv, Ltpv, Mtpv, and those of the test networks. */
const PRIVATE = [0x0488ade4, 0x049d7878, 0x04b2430c, 0x019d9cfe, 0x01b26792, 0x04358394, 0x044a4e28, 0x045f18bc];

const KEY_BYTES = 78;
const base58check = createBase58check(sha256);

const payloadOf = (text: string): Uint8Array => {
  try {
    return base58check.decode(text);
  } catch {
    throw new NoExtendedKey('must be an extended public key, such as xpub…: its checksum does not fit');
  }
};

const versionOf = (text: string): number => {
  const payload = payloadOf(text);
  if (payload.length !== KEY_BYTES) throw new NoExtendedKey('must be an extended public key, such as xpub…');
  return new DataView(payload.buffer, payload.byteOffset).getUint32(0);
};

const kindFor = (currency: Currency, version: number): Public => {
  if (PRIVATE.includes(version)) {
    throw new NoExtendedKey('must be the public key: this is a private one, which belongs in no other place');
  }
  const kind = PUBLIC[version];
  if (!kind?.currencies.includes(currency)) {
    const known = Object.values(PUBLIC).filter(({ currencies }) => currencies.includes(currency));
    throw new NoExtendedKey(`must be a key of ${currency}'s main network: ${known.map(({ name }) => name).join(', ')}`);
  }
  return kind;
};

/** Receiving addresses are derived at 0/i below the key, whatever its depth. Throws `NoExtendedKey`. */
export const parseExtendedKey = (currency: Currency, text: string): ExtendedKey => {
  const version = versionOf(text);
  const { script } = kindFor(currency, version);
  try {
    return { chain: HDKey.fromExtendedKey(text, { public: version, private: 0 }).deriveChild(0), script };
  } catch {
    throw new NoExtendedKey('must be an extended public key: this one holds no point of the curve');
  }
};
