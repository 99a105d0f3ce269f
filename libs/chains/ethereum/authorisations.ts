import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { Outpoint } from '../chain-node.ts';

/** Of EIP-7702: whoever signed it lends the account code, and the number `nonce` is used up, in whoever's transaction. */
export type Authorisation = {
  readonly chainId: string;
  readonly address: string;
  readonly nonce: string;
  readonly yParity: string;
  readonly r: string;
  readonly s: string;
};

const bytesOf = (text: string): Buffer => {
  const digits = text.replace(/^0x0*/i, '');
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
};

/** As Ethereum writes them (RLP), where each is shorter than 56 bytes. */
const written = (bytes: Buffer, prefix: number): Buffer =>
  bytes.length === 1 && prefix === 0x80 && (bytes[0] ?? 0) < 0x80
    ? bytes
    : Buffer.concat([Buffer.from([prefix + bytes.length]), bytes]);

const digestOf = ({ chainId, address, nonce }: Authorisation): Uint8Array => {
  const account = Buffer.from(address.slice(2), 'hex');
  const fields = [bytesOf(chainId), account, bytesOf(nonce)].map((field) => written(field, 0x80));
  return keccak_256(Buffer.concat([Buffer.from([5]), written(Buffer.concat(fields), 0xc0)]));
};

const word = (text: string): Buffer => Buffer.from(text.slice(2).padStart(64, '0'), 'hex');

const recovered = (authorisation: Authorisation): string | undefined => {
  const { yParity, r, s } = authorisation;
  try {
    const signature = Buffer.concat([Buffer.from([Number(yParity)]), word(r), word(s)]);
    const key = secp256k1.recoverPublicKey(signature, digestOf(authorisation), { prehash: false });
    const point = secp256k1.Point.fromBytes(key).toBytes(false).subarray(1);
    return `0x${Buffer.from(keccak_256(point).subarray(12)).toString('hex')}`;
  } catch {
    return undefined;
  }
};

const signers = new WeakMap<Authorisation, { readonly signer: string | undefined }>();

/** Undefined where nobody can have signed it. Each is looked for once, however often it is asked about. */
export const signerOf = (authorisation: Authorisation): string | undefined => {
  const known = signers.get(authorisation) ?? { signer: recovered(authorisation) };
  signers.set(authorisation, known);
  return known.signer;
};

/** Who signed is looked for of so many at most: anybody may fill a pool with them, and each takes a millisecond. */
const MOST_SIGNERS = 100;

/** Whether one of these takes this number away once it is in a block; undefined where there are too many to tell. */
export const mayTake = (authorisations: readonly Authorisation[], outpoint: Outpoint): boolean | undefined => {
  const [account, nonce] = outpoint.split(':');
  const those = authorisations.filter((each) => Number(each.nonce) === Number(nonce));
  if (those.slice(0, MOST_SIGNERS).some((each) => signerOf(each) === account)) return true;
  return those.length > MOST_SIGNERS ? undefined : false;
};
