import { createHmac, createSecretKey } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { HDKey } from '@scure/bip32';

const { Point } = secp256k1;
const TWEAK_BYTES = 32;

/** The public keys below one (BIP32, not hardened). Its point is found once: each child costs one multiplication. */
export const childKeysOf = ({ publicKey, chainCode }: HDKey): ((index: number) => Uint8Array) => {
  if (!publicKey || !chainCode) throw new Error('a key without its public half derives nothing');
  const chain = createSecretKey(chainCode);
  const parent = Point.fromBytes(publicKey);
  return (index) => {
    const data = Buffer.concat([publicKey, Buffer.alloc(4)]);
    data.writeUInt32BE(index, publicKey.length);
    const digest = createHmac('sha512', chain).update(data).digest();
    // Nothing here is secret, so it need not take the same time for every number. One that is too big throws.
    const tweak = BigInt(`0x${digest.toString('hex', 0, TWEAK_BYTES)}`);
    return Point.BASE.multiplyUnsafe(tweak).add(parent).toBytes(true);
  };
};
