import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';

/** Bytes as a text without `0x`, or a list of them. */
export type Field = string | readonly Field[];

export const digitsOf = (value: bigint | number): string => {
  const digits = value === 0 || value === 0n ? '' : value.toString(16);
  return digits.length % 2 === 0 ? digits : `0${digits}`;
};

const sized = (length: number, from: number): string => {
  if (length < 56) return (from + length).toString(16);
  const digits = digitsOf(length);
  return (from + 55 + digits.length / 2).toString(16) + digits;
};

/** Of what is written already. */
export const rlpList = (inside: string): string => sized(inside.length / 2, 0xc0) + inside;

/** As Ethereum writes it (RLP). */
export const rlpOf = (field: Field): string => {
  if (typeof field !== 'string') return rlpList(field.map(rlpOf).join(''));
  return /^[0-7].$/.test(field) ? field : sized(field.length / 2, 0x80) + field;
};

export const hashOf = (digits: string): string => Buffer.from(keccak_256(Buffer.from(digits, 'hex'))).toString('hex');

/** Of anvil's second account, as every anvil has it. */
export const KEY = '59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';

/** What it signs the hash of, as the three numbers of a signature. */
const signature = (signed: string, key = KEY): { readonly parity: number; readonly rs: readonly [string, string] } => {
  const [digest, secret] = [Buffer.from(hashOf(signed), 'hex'), Buffer.from(key, 'hex')];
  const bytes = secp256k1.sign(digest, secret, { prehash: false, format: 'recovered', lowS: true });
  const number = (from: number): string =>
    digitsOf(BigInt(`0x${Buffer.from(bytes.subarray(from, from + 32)).toString('hex')}`));
  return { parity: bytes[0] ?? 0, rs: [number(1), number(33)] };
};

/** With its type before it; its name is its hash. */
export const signedOf = (type: 1 | 2 | 3 | 4, fields: readonly Field[], key?: string): string => {
  const mark = `0${type}`;
  const { parity, rs } = signature(mark + rlpOf(fields), key);
  return mark + rlpOf([...fields, digitsOf(parity), ...rs]);
};

/** Without a type; `chainId` undefined: as before EIP-155. */
export const signedPlain = (fields: readonly Field[], chainId?: number): string => {
  const { parity, rs } = signature(rlpOf(chainId === undefined ? fields : [...fields, digitsOf(chainId), '', '']));
  return rlpOf([...fields, digitsOf(parity + (chainId === undefined ? 27 : 35 + 2 * chainId)), ...rs]);
};
