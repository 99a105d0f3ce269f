import type { BlockTip } from '#chains';
import { askedFirst, type Turn } from '../parts.ts';
import { firstTip, type KeptBlock, keptHash, readTip, type Tip } from '../rows/tip.ts';
import { applyBlock } from './apply-block.ts';
import { hashBelowHead } from './hash-below-head.ts';
import { nextBlock } from './next-block.ts';
import { undoBranch } from './undo.ts';

/** A chain that is watched from its newest block on gives that one up as easily as any. */
const KEPT_BEFORE = 100;

const blocksBefore = async ({ node }: Turn, { height }: BlockTip): Promise<readonly KeptBlock[]> => {
  const kept: KeptBlock[] = [];
  for (let below = Math.max(0, height - KEPT_BEFORE); below < height; below += 1) {
    const hash = await node.hashAt(below);
    if (hash !== undefined) kept.push({ hash, height: below });
  }
  return kept;
};

const start = async (turn: Turn, head: BlockTip): Promise<Tip> => {
  const { pool, chain, logger } = turn;
  await firstTip(pool, chain.coin, head, await blocksBefore(turn, head));
  const tip = await readTip(pool, chain.coin);
  if (!tip) throw new Error(`the first block of ${chain.coin} was not kept`);
  logger.info({ chain: chain.coin, height: tip.height, hash: tip.hash }, 'a chain is watched from here on');
  return tip;
};

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
  let tip = (await readTip(turn.pool, turn.chain.coin)) ?? (await start(turn, head));
  const until = performance.now() + LONGEST_MS;
  while (!turn.stopping.aborted && performance.now() < until) {
    const next = await step(turn, tip, head);
    if (next === undefined) break;
    tip = next;
    if (tip.height >= head.height) break;
  }
  return tip;
};
