import type { ChainNode } from '#chains';
import type { Ticker } from '#money';
import type { Queryable } from '#platform/postgres';
import { ChainHeld, Parted, SaidByOne, type Turn } from '../parts.ts';
import { paidBlocksUpTo } from '../rows/paid-blocks.ts';
import { paymentsAbove } from '../rows/payments.ts';
import { askedSinceHeld, moveRescan } from '../rows/rescans.ts';
import { firstKept, forgetBlocks, HELD_BELOW_KEPT, type KeptBlock, keepBlock, type Tip } from '../rows/tip.ts';
import { blocksBefore } from './blocks-before.ts';
import { checkBorneOut } from './borne-out.ts';
import { hashBelowHead } from './hash-below-head.ts';
import { neededIn } from './witnesses.ts';

/** Where a chain goes on from below what is kept: some blocks are kept anew, and the rescan that says so is over. */
export type TakenUp = KeptBlock & {
  readonly before: readonly KeptBlock[];
  readonly rescan: { readonly id: number; readonly to: number };
};

/** The node that is read comes first: where it goes by itself it is that one. */
const bearingOut = async (turn: Turn, { hash, height }: KeptBlock): Promise<readonly ChainNode[]> => {
  const { node, looks, silent } = turn;
  const others = looks.filter((look) => look.node !== node && look.state !== 'wrong').map((look) => look.node);
  const said = await Promise.all(others.map((other) => silent.ask(other, ({ hashAt }) => hashAt(height))));
  const bearing = [node, ...others.filter((_, nth) => said[nth] === hash)];
  if (bearing.length >= neededIn(turn)) return bearing;
  throw new ChainHeld(`too few nodes have block ${height} as ${hash}, where the chain would be taken up`, true);
};

/**
 * The lowest block up to a height that payments are in and the node has not got: nothing of these would be given up. Below
 * one that it has it has all that was applied.
 */
const lowestPaidElsewhere = async (turn: Turn, height: number): Promise<KeptBlock | undefined> => {
  const { pool, chain } = turn;
  let lowest: KeptBlock | undefined;
  for (let blocks = await paidBlocksUpTo(pool, chain.coin, height); blocks[0]; ) {
    const at = blocks[0].height;
    const hash = await hashBelowHead(turn, at);
    const other = blocks.find((block) => block.hash !== hash);
    if (!other) return lowest;
    lowest = other;
    blocks = await paidBlocksUpTo(pool, chain.coin, at - 1);
  }
  return lowest;
};

/** What a node says that ends below the first block that is kept counts where as many do so as have to agree. */
const checkLow = (turn: Turn, first: number): void => {
  const low = turn.looks.filter(({ head }) => head !== undefined && head.height < first);
  if (low.length < neededIn(turn))
    throw new SaidByOne(`${turn.node.name} ends below block ${first}, ${HELD_BELOW_KEPT}, and too few others do`);
};

/**
 * Nobody decides alone that all that is kept was of the wrong branch. The word is an operator's, who has all read again from
 * a block on that both have; as many nodes have to bear it out as with any other, there and where they were seen to part.
 */
export const takeUp = async (turn: Turn, tip: Tip, from: number): Promise<TakenUp> => {
  const { pool, node, chain } = turn;
  const first = (await firstKept(pool, chain.coin))?.height ?? tip.height;
  if (from < first) checkLow(turn, first);
  await checkBorneOut(turn, Math.min(first, from));
  const rescan = await askedSinceHeld(pool, chain.coin, first);
  const sentence = `${node.name} is on a branch that parts below block ${first}, ${HELD_BELOW_KEPT}: a reorganisation that deep is for a person to judge; where that branch is right, a rescan from a block that both have to ${tip.height} takes it up there`;
  if (!rescan) throw new Parted(sentence);
  const height = Math.max(0, rescan.from - 1);
  const other = await lowestPaidElsewhere(turn, height);
  if (other)
    throw new Parted(
      `${sentence}; the rescan from ${rescan.from} begins above block ${other.height} (${other.hash}), which holds payments and is not on that branch`,
    );
  await checkBorneOut(turn, height + 1);
  const block = { hash: await hashBelowHead(turn, height), height };
  const bearing = await bearingOut(turn, block);
  return { ...block, before: await blocksBefore(turn, bearing, block, neededIn(turn)), rescan };
};

/** Both branches may have some of these, which lie below what is kept: their story goes on. */
export const stayingBy = async (
  { pool, chain, node }: Turn,
  { height }: KeptBlock,
): Promise<ReadonlySet<string | null>> => {
  const staying = new Set<string | null>();
  const blocks = new Map((await paymentsAbove(pool, chain.coin, height)).map((each) => [each.blockHash, each]));
  for (const { blockHash, blockHeight } of blocks.values())
    if (blockHash !== null && blockHeight !== null && (await node.hashAt(blockHeight)) === blockHash)
      staying.add(blockHash);
  return staying;
};

/** With the rest of what gives up what was applied above. */
export const recordTakenUp = async (
  db: Queryable,
  coin: Ticker,
  { hash, height, before, rescan }: TakenUp,
): Promise<void> => {
  await forgetBlocks(db, coin);
  for (const block of [...before, { hash, height }]) await keepBlock(db, coin, block);
  await moveRescan(db, rescan.id, rescan.to + 1, 0);
};
