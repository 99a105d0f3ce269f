import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';

const HALF = secp256k1.Point.Fn.ORDER / 2n;

export type Signature = { readonly parity: number; readonly r: bigint; readonly s: bigint };

const word = (number: bigint): Buffer => Buffer.from(number.toString(16).padStart(64, '0'), 'hex');

export const accountOf = (hash: Uint8Array): string => `0x${Buffer.from(hash.subarray(12)).toString('hex')}`;

/** The account whose key signed this; undefined where none can have. Of two that say the same the chain takes one (EIP-2). */
export const recovered = (digest: Uint8Array, { parity, r, s }: Signature): string | undefined => {
  if (parity > 1 || s > HALF) return undefined;
  try {
    const signature = Buffer.concat([Buffer.from([parity]), word(r), word(s)]);
    const key = secp256k1.recoverPublicKey(signature, digest, { prehash: false });
    return accountOf(keccak_256(secp256k1.Point.fromBytes(key).toBytes(false).subarray(1)));
  } catch {
    return undefined;
  }
};
