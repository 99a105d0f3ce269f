import type { Ticker } from '#money';
import type { ChainBlock } from '../chain-node.ts';
import { formats } from './formats.ts';
import { hashedTwice, inWords } from './hashed.ts';
import type { BitcoinLikeCoin } from './networks.ts';
import { parseBlock } from './parse.ts';
import { withPegOut } from './peg-outs.ts';

const HEADER = { bytes: 80, root: 36, afterRoot: 68 } as const;

/** Others hash their headers otherwise (Dash by X11). */
const NAMED_BY_SHA256: ReadonlySet<Ticker> = new Set(['BTC', 'LTC', 'BCH']);

/** Whether the bytes of its blocks make their hashes: whoever gives one shows what all have in it. */
export const areBlocksProven = (coin: Ticker): boolean => NAMED_BY_SHA256.has(coin);

/** Of an odd number the last one stands twice: two that are alike make the root of the block without the second. */
const rootOf = (level: readonly Buffer[]): Buffer | undefined => {
  if (level.length < 2) return level[0];
  if (level.some((each, nth) => nth % 2 === 1 && level[nth - 1]?.equals(each))) return undefined;
  return rootOf(level.flatMap((left, nth) => (nth % 2 === 0 ? [hashedTwice(left, level[nth + 1] ?? left)] : [])));
};

/**
 * What the node sent, where it is the block of that hash: several nodes agree on the hash alone, and one of them gives
 * the bytes, so the header has to make the hash and the transactions the root in the header.
 */
export const provenBlock = (coin: BitcoinLikeCoin, hash: string, hex: string): ChainBlock | undefined => {
  const header = Buffer.from(hex.slice(0, 2 * HEADER.bytes), 'hex');
  const isProven = areBlocksProven(coin);
  if (isProven && inWords(hashedTwice(header)) !== hash) return undefined;
  const block = parseBlock(hash, hex, formats[coin]);
  const transactions = withPegOut(block.transactions, formats[coin]);
  if (!transactions) return undefined;
  const root = rootOf(block.transactions.map(({ txid }) => Buffer.from(txid, 'hex').reverse()));
  return root?.equals(header.subarray(HEADER.root, HEADER.afterRoot))
    ? { ...block, transactions, isProven }
    : undefined;
};
