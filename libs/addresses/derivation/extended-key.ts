import { sha256 } from '@noble/hashes/sha2.js';
import { createBase58check } from '@scure/base';
import { HDKey } from '@scure/bip32';
import type { Ticker } from '#money';
import type { Script } from './bitcoin-like.ts';

export type ExtendedKey = { readonly chain: HDKey; readonly script: Script };

/** A text that is no extended public key for that currency; the message says why, and never repeats the text. */
export class NoExtendedKey extends Error {}

/** What kind of address wallets make of keys of that spelling. */
type Public = { readonly name: string; readonly scripts: Readonly<Partial<Record<Ticker, Script>>> };

const PUBLIC: Readonly<Record<number, Public>> = {
  // Its own meaning is BIP44, but descriptors and most wallets now write native SegWit keys this way too.
  76067358: {
    name: 'xpub',
    scripts: { BTC: 'p2wpkh', LTC: 'p2wpkh', ETH: 'p2pkh', DASH: 'p2pkh', BCH: 'p2pkh', MARS: 'p2pkh' },
  },
  78792518: { name: 'zpub', scripts: { BTC: 'p2wpkh', LTC: 'p2wpkh' } },
  77429938: { name: 'ypub', scripts: { BTC: 'p2sh-p2wpkh', LTC: 'p2sh-p2wpkh' } },
  27108450: { name: 'Ltub', scripts: { LTC: 'p2wpkh' } },
  28471030: { name: 'Mtub', scripts: { LTC: 'p2sh-p2wpkh' } },
  50221816: { name: 'drkv', scripts: { DASH: 'p2pkh' } },
};

/** xprv, yprv, zprv, Ltpv, Mtpv, drkp, and those of the test networks. */
const PRIVATE = [
  0x0488ade4, 0x049d7878, 0x04b2430c, 0x019d9cfe, 0x01b26792, 0x02fe52cc, 0x04358394, 0x044a4e28, 0x045f18bc,
];

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

const scriptFor = (currency: Ticker, version: number): Script => {
  if (PRIVATE.includes(version)) {
    throw new NoExtendedKey('must be the public key: this is a private one, which belongs in no other place');
  }
  const script = PUBLIC[version]?.scripts[currency];
  if (!script) {
    const known = Object.values(PUBLIC).filter(({ scripts }) => scripts[currency] !== undefined);
    throw new NoExtendedKey(`must be a key of ${currency}'s main network: ${known.map(({ name }) => name).join(', ')}`);
  }
  return script;
};

/** The key itself, of whatever currency. */
export const extendedKeyIn = (text: string): HDKey =>
  HDKey.fromExtendedKey(text, { public: versionOf(text), private: 0 });

/** Receiving addresses are derived at 0/i below the key, whatever its depth. Throws `NoExtendedKey`. */
export const parseExtendedKey = (currency: Ticker, text: string): ExtendedKey => {
  const version = versionOf(text);
  const script = scriptFor(currency, version);
  try {
    return { chain: HDKey.fromExtendedKey(text, { public: version, private: 0 }).deriveChild(0), script };
  } catch {
    throw new NoExtendedKey('must be an extended public key: this one holds no point of the curve');
  }
};
