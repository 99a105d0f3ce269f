import type { ChainNode } from '#chains';
import { createSilent, type Silent } from '../nodes/silent.ts';
import type { Turn } from '../parts.ts';
import type { KeptBlock } from '../rows/tip.ts';
import { blockOfMost } from './block-of-most.ts';

/** A chain that is watched from its newest block on gives that one up as easily as any. */
const KEPT_BEFORE = 100;

/** What nodes agree on of these heights. */
const agreedAt = async (
  silent: Silent,
  nodes: readonly ChainNode[],
  heights: readonly number[],
  needed: number,
): Promise<readonly KeptBlock[]> => {
  const kept: KeptBlock[] = [];
  for (const height of heights) {
    const block = await blockOfMost({ silent }, nodes, height, needed);
    if (block) kept.push({ hash: block.hash, height });
  }
  return kept;
};

/**
 * One node alone could name what nobody has: nothing could be read there again, and nobody would share a block below. What
 * an answer was lost for is asked once more.
 */
export const blocksBefore = async (
  { silent }: Turn,
  nodes: readonly ChainNode[],
  { height }: KeptBlock,
  needed: number,
): Promise<readonly KeptBlock[]> => {
  const from = Math.max(0, height - KEPT_BEFORE);
  const heights = Array.from({ length: height - from }, (_, nth) => from + nth);
  const first = await agreedAt(silent, nodes, heights, needed);
  const known = new Set(first.map((block) => block.height));
  const rest = heights.filter((each) => !known.has(each));
  const again = await agreedAt(createSilent(), nodes, rest, needed);
  return [...first, ...again].toSorted((one, other) => one.height - other.height);
};
