import type { ChainNode } from '#chains';
import type { Turn } from '../parts.ts';
import type { KeptBlock } from '../rows/tip.ts';
import { blockOfMost } from './block-of-most.ts';

/** A chain that is watched from its newest block on gives that one up as easily as any. */
const KEPT_BEFORE = 100;

/** One node alone could name what nobody has: nothing could be read there again, and nobody would share a block below. */
export const blocksBefore = async (
  turn: Turn,
  nodes: readonly ChainNode[],
  { height }: KeptBlock,
  needed: number,
): Promise<readonly KeptBlock[]> => {
  const kept: KeptBlock[] = [];
  for (let below = Math.max(0, height - KEPT_BEFORE); below < height; below += 1) {
    const block = await blockOfMost(turn, nodes, below, needed);
    if (block) kept.push({ hash: block.hash, height: below });
  }
  return kept;
};
