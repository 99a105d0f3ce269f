import type { BlockTip } from '#chains';
import { askedFirst, type Turn } from '../parts.ts';
import { keptUpTo, readTip, type Tip } from '../rows/tip.ts';
import { applyBlock } from './apply-block.ts';
import { begin } from './begin.ts';
import { hashBelowHead, hashUpToHead } from './hash-below-head.ts';
import { nextBlock } from './next-block.ts';
import { undoBranch } from './undo.ts';

/** A node that is merely behind has nothing to say. Of a height that is not kept the next one below speaks. */
const isOnBranch = async (turn: Turn, head: BlockTip): Promise<boolean> => {
  const kept = await keptUpTo(turn.pool, turn.chain.coin, head.height);
  return kept !== undefined && (await hashBelowHead(turn, kept.height)) === kept.hash;
};

/** One block forth, or back to where the branches part; undefined where the node has nothing to say beyond the tip. */
const step = async (turn: Turn, tip: Tip, head: BlockTip): Promise<Tip | undefined> => {
  if (tip.hash === head.hash) return undefined;
  if (head.height < tip.height) return (await isOnBranch(turn, head)) ? undefined : undoBranch(turn, tip, head.height);
  const there = await hashBelowHead(turn, tip.height);
  if (there !== tip.hash) return undoBranch(turn, tip, tip.height);
  const height = tip.height + 1;
  const hash = height > head.height ? undefined : await hashUpToHead(turn, height);
  const given = hash && (await nextBlock(turn, { hash, height, parent: tip.hash }, head));
  return given ? applyBlock(askedFirst(turn, given.from), tip, given) : undefined;
};

/** Then the mempool, confirmations and the nodes have their turn, and the rest comes with the next one. */
const LONGEST_MS = 5_000;

/** Block by block, each by its hash behind its parent, to where the node stands; none is skipped, however many there are. */
export const follow = async (turn: Turn, head: BlockTip): Promise<Tip> => {
  let tip = await readTip(turn.pool, turn.chain.coin);
  // Where it is another node's block the next turn reads that.
  if (!tip) return begin(turn);
  const until = performance.now() + LONGEST_MS;
  while (!turn.stopping.aborted && performance.now() < until) {
    const next = await step(turn, tip, head);
    if (next === undefined) break;
    tip = next;
    if (tip.height >= head.height) break;
  }
  return tip;
};
