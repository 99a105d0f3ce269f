import type { BlockTip } from '#chains';
import { askedFirst, type Turn } from '../parts.ts';
import { keptHash, readTip, type Tip } from '../rows/tip.ts';
import { applyBlock } from './apply-block.ts';
import { begin } from './begin.ts';
import { hashBelowHead } from './hash-below-head.ts';
import { nextBlock } from './next-block.ts';
import { undoBranch } from './undo.ts';

/** One block forth, or back to where the branches part; undefined when the tip is the node's. */
const step = async (turn: Turn, tip: Tip, head: BlockTip): Promise<Tip | undefined> => {
  const { node } = turn;
  if (tip.hash === head.hash) return undefined;
  const shared = Math.min(tip.height, head.height);
  const there = await hashBelowHead(turn, shared);
  if (shared < tip.height) {
    // A node that is merely behind has nothing to say.
    return there === (await keptHash(turn.pool, turn.chain.coin, shared)) ? undefined : undoBranch(turn, tip, shared);
  }
  if (there !== tip.hash) return undoBranch(turn, tip, tip.height);
  const hash = await node.hashAt(tip.height + 1);
  if (hash === undefined) return undefined;
  const given = await nextBlock(turn, hash, tip.height + 1, head);
  // It changed its mind in between: the next look sees what it thinks now.
  return given.block.parent === tip.hash ? applyBlock(askedFirst(turn, given.from), tip, given) : tip;
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
