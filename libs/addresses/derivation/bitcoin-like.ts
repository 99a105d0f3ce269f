import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bech32, createBase58check } from '@scure/base';
import type { Script } from './extended-key.ts';

export type Network = { readonly bech32Prefix: string; readonly scriptHashVersion: number };

export const bitcoin: Network = { bech32Prefix: 'bc', scriptHashVersion: 0x05 };
export const litecoin: Network = { bech32Prefix: 'ltc', scriptHashVersion: 0x32 };

const WITNESS_VERSION = 0;
const PUSH_20_BYTES = 20;
const base58check = createBase58check(sha256);

const hash160 = (bytes: Uint8Array): Uint8Array => ripemd160(sha256(bytes));

/** BIP84: pays to the hash of the key, in a witness. */
const native = (keyHash: Uint8Array, { bech32Prefix }: Network): string =>
  bech32.encode(bech32Prefix, [WITNESS_VERSION, ...bech32.toWords(keyHash)]);

/** BIP49: the same witness program behind a script hash. */
const nested = (keyHash: Uint8Array, { scriptHashVersion }: Network): string => {
  const program = Uint8Array.of(WITNESS_VERSION, PUSH_20_BYTES, ...keyHash);
  return base58check.encode(Uint8Array.of(scriptHashVersion, ...hash160(program)));
};

export const bitcoinLikeAddress = (publicKey: Uint8Array, script: Script, network: Network): string =>
  (script === 'p2wpkh' ? native : nested)(hash160(publicKey), network);
