import { createHmac, createSecretKey } from 'node:crypto';
import { instantiateSecp256k1 } from '@bitauth/libauth/build/lib/crypto/secp256k1.js';
import type { HDKey } from '@scure/bip32';

const TWEAK_BYTES = 32;

/** libsecp256k1 itself, compiled to WebAssembly: a third of what the same takes with numbers of JavaScript. */
const curve = await instantiateSecp256k1();

/** The public keys below one (BIP32, not hardened), uncompressed for those who hash the whole point. */
export type ChildKeys = {
  readonly compressed: (index: number) => Uint8Array;
  readonly whole: (index: number) => Uint8Array;
};

const pointOf = (found: Uint8Array | string): Uint8Array => {
  if (typeof found === 'string') throw new Error(found);
  return found;
};

export const childKeysOf = (key: HDKey): ChildKeys => {
  const { publicKey, chainCode } = key;
  if (!publicKey || !chainCode) throw new Error('a key without its public half derives nothing');
  const chain = createSecretKey(chainCode);
  const parent = pointOf(curve.uncompressPublicKey(publicKey));
  const tweakOf = (index: number): Uint8Array => {
    const data = Buffer.concat([publicKey, Buffer.alloc(4)]);
    data.writeUInt32BE(index, publicKey.length);
    return createHmac('sha512', chain).update(data).digest().subarray(0, TWEAK_BYTES);
  };
  const compressed = (index: number) => pointOf(curve.addTweakPublicKeyCompressed(parent, tweakOf(index)));
  // Coins go to what comes out of this: two libraries that share nothing have to agree before it is used.
  if (!Buffer.from(key.deriveChild(0).publicKey ?? []).equals(compressed(0)))
    throw new Error('libauth and @scure/bip32 derive different keys');
  return { compressed, whole: (index) => pointOf(curve.addTweakPublicKeyUncompressed(parent, tweakOf(index))) };
};
