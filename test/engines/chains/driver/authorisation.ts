import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';

const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;

/** Of anvil's second account, as every anvil has it. */
const KEY = Buffer.from('59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d', 'hex');

/** It lends its account the code at an address, by the first of its numbers. */
export const authorisation = (to: string) => {
  const fields = Buffer.from(`827a6994${to}80`, 'hex');
  const digest = keccak_256(Buffer.concat([Buffer.from([5, 0xc0 + fields.length]), fields]));
  const signed = secp256k1.sign(digest, KEY, { prehash: false, format: 'recovered', lowS: true });
  return {
    ...{ chainId: '0x7a69', address: `0x${to}`, nonce: '0x0', yParity: hex(signed.subarray(0, 1)) },
    ...{ r: hex(signed.subarray(1, 33)), s: hex(signed.subarray(33)) },
  };
};
