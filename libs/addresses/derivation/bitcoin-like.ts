import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bech32, createBase58check } from '@scure/base';
import { cashAddress } from './cash-address.ts';
import type { Network } from './networks.ts';

/** What an address pays to: the hash of a key, the same in a witness, or that witness behind a script hash. */
export type Script = 'p2pkh' | 'p2wpkh' | 'p2sh-p2wpkh';

const WITNESS_VERSION = 0;
const PUSH_20_BYTES = 20;
const base58check = createBase58check(sha256);

const hash160 = (bytes: Uint8Array): Uint8Array => ripemd160(sha256(bytes));

/** BIP44. */
const plain = (keyHash: Uint8Array, { keyHashVersion, cashPrefix }: Network): string =>
  cashPrefix === undefined
    ? base58check.encode(Uint8Array.of(keyHashVersion, ...keyHash))
    : cashAddress(cashPrefix, keyHash);

/** BIP84. */
const native = (keyHash: Uint8Array, { bech32Prefix }: Network): string => {
  if (bech32Prefix === undefined) throw new Error('this chain has no witnesses');
  return bech32.encode(bech32Prefix, [WITNESS_VERSION, ...bech32.toWords(keyHash)]);
};

/** BIP49. */
const nested = (keyHash: Uint8Array, { scriptHashVersion }: Network): string => {
  const program = Uint8Array.of(WITNESS_VERSION, PUSH_20_BYTES, ...keyHash);
  return base58check.encode(Uint8Array.of(scriptHashVersion, ...hash160(program)));
};

const encodings = { p2pkh: plain, p2wpkh: native, 'p2sh-p2wpkh': nested } as const;

export const bitcoinLikeAddress = (publicKey: Uint8Array, script: Script, network: Network): string =>
  encodings[script](hash160(publicKey), network);
