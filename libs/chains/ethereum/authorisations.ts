import { keccak_256 } from '@noble/hashes/sha3.js';
import { writtenList, writtenNumber, writtenText } from './rlp.ts';
import { recovered } from './signer.ts';

/** Of EIP-7702: whoever signed it lends the account code, and the number `nonce` is used up, in whoever's transaction. */
export type Authorisation = {
  readonly chainId: string;
  readonly address: string;
  readonly nonce: string;
  readonly yParity?: string | null;
  /** In its place, as older nodes tell it: the same, or 27 more. */
  readonly v?: string | null;
  readonly r: string;
  readonly s: string;
};

const MAGIC = Buffer.from([5]);

const digestOf = ({ chainId, address, nonce }: Authorisation): Uint8Array => {
  const lent = writtenText(Buffer.from(address.slice(2), 'hex'));
  const fields = [writtenNumber(BigInt(chainId)), lent, writtenNumber(BigInt(nonce))];
  return keccak_256(Buffer.concat([MAGIC, writtenList(...fields)]));
};

const parityOf = ({ yParity, v }: Authorisation): number => {
  const told = Number(yParity ?? v ?? Number.NaN);
  return told >= 27 ? told - 27 : told;
};

const number = /^0x[0-9a-f]{1,64}$/i;
const account = /^0x[0-9a-f]{40}$/i;

const isReadable = (authorisation: Authorisation): boolean => {
  const { chainId, address, nonce, r, s } = authorisation;
  return (
    [chainId, nonce, r, s].every((each) => number.test(each)) && account.test(address) && parityOf(authorisation) >= 0
  );
};

/** Of one that nobody can have signed the chain takes no notice; of one that cannot be read nobody knows. */
type Signer = string | 'nobody' | 'unreadable';

export const signerOf = (authorisation: Authorisation): Signer => {
  if (!isReadable(authorisation)) return 'unreadable';
  const [parity, r, s] = [parityOf(authorisation), BigInt(authorisation.r), BigInt(authorisation.s)];
  return recovered(digestOf(authorisation), { parity, r, s }) ?? 'nobody';
};

/** What is kept of one: the number that it uses up, NaN where that cannot be read, and whose. */
export type Lending = { readonly nonce: number; readonly signer: () => Signer };

/** Who signed is looked for once, when somebody asks; then the rest is let go. */
export const lendingOf = (authorisation: Authorisation): Lending => {
  let [left, known]: [Authorisation | undefined, Signer] = [authorisation, 'unreadable'];
  return {
    nonce: isReadable(authorisation) ? Number(authorisation.nonce) : Number.NaN,
    signer: () => {
      if (left) [left, known] = [undefined, signerOf(left)];
      return known;
    },
  };
};

/** Who signed is looked for of so many at most: anybody may fill a pool with them, and each takes a millisecond. */
const MOST_SIGNERS = 100;

/**
 * Whether one of these, which use up one number, takes it from this account once it is in a block; undefined where there
 * are too many to tell, or one cannot be read.
 */
export const mayTake = (those: readonly Lending[], from: string): boolean | undefined => {
  const looked = those.slice(0, MOST_SIGNERS);
  if (looked.some(({ signer }) => signer() === from)) return true;
  return those.length > MOST_SIGNERS || looked.some(({ signer }) => signer() === 'unreadable') ? undefined : false;
};
