import type { ChainNode } from '#chains';
import type { KeptBlock } from '../rows/tip.ts';

/** A chain that is watched from its newest block on gives that one up as easily as any. */
const KEPT_BEFORE = 100;

export const blocksBefore = async (node: ChainNode, { height }: KeptBlock): Promise<readonly KeptBlock[]> => {
  const kept: KeptBlock[] = [];
  for (let below = Math.max(0, height - KEPT_BEFORE); below < height; below += 1) {
    const hash = await node.hashAt(below);
    if (hash !== undefined) kept.push({ hash, height: below });
  }
  return kept;
};
