import { keccak_256 } from '@noble/hashes/sha3.js';
import { type Item, itemsIn, numberIn, writtenList, writtenNumber, writtenText } from './rlp.ts';
import { accountIn, nonceIn } from './shapes.ts';
import { accountOf, recovered } from './signer.ts';

/** What whoever signed a transaction signed of it. */
export type Signed = {
  /** Undefined of one that any chain takes, as before EIP-155. */
  readonly chainId: bigint | undefined;
  readonly from: string;
  readonly nonce: number;
  /** What it makes, where it makes a contract. */
  readonly to: string;
  readonly value: bigint;
};

/** How many fields one has, and which of them are these; what is sent follows to whom. */
type Layout = { readonly fields: number; readonly nonce: number; readonly to: number };

const PLAIN: Layout = { fields: 9, nonce: 0, to: 3 };

const BLOBS = 3;

/** By its first byte: EIP-2930, EIP-1559, EIP-4844, EIP-7702. */
const TYPES: ReadonlyMap<number, Layout> = new Map([
  [1, { fields: 11, nonce: 1, to: 4 }],
  [2, { fields: 12, nonce: 1, to: 5 }],
  [BLOBS, { fields: 14, nonce: 1, to: 5 }],
  [4, { fields: 13, nonce: 1, to: 5 }],
]);

const listIn = (bytes: Buffer): readonly Item[] => {
  const [list, ...rest] = itemsIn(bytes);
  if (!list?.isList || rest.length > 0) throw new RangeError('it is no list, or more than one');
  return itemsIn(list.inside);
};

/** As it is in a block: one that waits may come with what its blobs hold, of which its name is not made. */
export const withoutBlobs = (bytes: Buffer): Buffer => {
  if (bytes[0] !== BLOBS) return bytes;
  try {
    const [own] = listIn(bytes.subarray(1));
    return own?.isList ? Buffer.concat([bytes.subarray(0, 1), own.whole]) : bytes;
  } catch {
    return bytes;
  }
};

const textIn = (item: Item | undefined): Buffer => {
  if (!item || item.isList) throw new RangeError('a field of it is missing, or none');
  return item.inside;
};

const numberOf = (item: Item | undefined): bigint => {
  const bytes = textIn(item);
  if (bytes.length > 32 || bytes[0] === 0) throw new RangeError('a number of it is written as none is');
  return numberIn(bytes);
};

/** The contract that an account makes with one of its numbers. */
export const madeBy = (from: string, nonce: number): string =>
  accountOf(keccak_256(writtenList(writtenText(Buffer.from(from.slice(2), 'hex')), writtenNumber(BigInt(nonce)))));

/** Where a chain is signed for it is told with the parity (EIP-155), and signed in the place of the signature. */
const plainSigned = (items: readonly Item[]) => {
  const v = numberOf(items[6]);
  const own = items.slice(0, 6).map(({ whole }) => whole);
  if (v === 27n || v === 28n) return { chainId: undefined, parity: v - 27n, signed: writtenList(...own) };
  if (v < 35n) throw new RangeError('its signature is none');
  const chainId = (v - 35n) / 2n;
  const marks = [chainId, 0n, 0n].map(writtenNumber);
  return { chainId, parity: (v - 35n) % 2n, signed: writtenList(...own, ...marks) };
};

const typedSigned = (type: Buffer, items: readonly Item[]) => ({
  chainId: numberOf(items[0]),
  parity: numberOf(items.at(-3)),
  signed: Buffer.concat([type, writtenList(...items.slice(0, -3).map(({ whole }) => whole))]),
});

/** Without a type one begins with the mark of a list. */
const isPlain = (bytes: Buffer): boolean => (bytes[0] ?? 0) >= 0xc0;

const layoutOf = (bytes: Buffer): Layout | undefined => (isPlain(bytes) ? PLAIN : TYPES.get(bytes[0] ?? 0));

export const isOfKnownType = (bytes: Buffer): boolean => layoutOf(bytes) !== undefined;

/** Throws where no chain takes it. */
export const signedIn = (bytes: Buffer): Signed => {
  const layout = layoutOf(bytes);
  if (!layout) throw new RangeError('it is of a type that nobody knows');
  const items = listIn(isPlain(bytes) ? bytes : bytes.subarray(1));
  if (items.length !== layout.fields) throw new RangeError(`it has ${items.length} fields`);
  const { chainId, parity, signed } = isPlain(bytes) ? plainSigned(items) : typedSigned(bytes.subarray(0, 1), items);
  const signature = { parity: Number(parity), r: numberOf(items.at(-2)), s: numberOf(items.at(-1)) };
  const from = recovered(keccak_256(signed), signature);
  if (from === undefined) throw new RangeError('nobody can have signed it');
  const nonce = nonceIn(`0x${numberOf(items[layout.nonce]).toString(16)}`);
  const to = textIn(items[layout.to]);
  return {
    ...{ chainId, from, nonce, value: numberOf(items[layout.to + 1]) },
    to: to.length === 0 ? madeBy(from, nonce) : accountIn(`0x${to.toString('hex')}`),
  };
};
