import type { Turn } from '../parts.ts';
import { firstKept, type KeptBlock, keptUpTo } from '../rows/tip.ts';
import { hashBelowHead } from './hash-below-head.ts';

/** `shared` is the last of those that are kept that the node has too, and `parts` the next one, which it has not. */
export type Fork = { readonly shared: KeptBlock | undefined; readonly parts: KeptBlock | undefined };

const upTo = ({ pool, chain }: Turn, height: number): Promise<KeptBlock | undefined> =>
  keptUpTo(pool, chain.coin, height);

const isShared = async (turn: Turn, { hash, height }: KeptBlock): Promise<boolean> =>
  (await hashBelowHead(turn, height)) === hash;

/** Down to one that both have, by twice as many each time. */
const leap = async (turn: Turn, from: number): Promise<Fork> => {
  let shared = await upTo(turn, from);
  let parts: KeptBlock | undefined;
  for (let step = 1; shared && !(await isShared(turn, shared)); step *= 2) {
    parts = shared;
    const below = await upTo(turn, parts.height - 1);
    shared = below && ((await upTo(turn, parts.height - step)) ?? (await firstKept(turn.pool, turn.chain.coin)));
  }
  return { shared, parts };
};

/** One between them, undefined where none is kept. */
const between = async (turn: Turn, low: KeptBlock, high: KeptBlock): Promise<KeptBlock | undefined> => {
  const middle = await upTo(turn, Math.floor((low.height + high.height) / 2));
  const one = middle && middle.height > low.height ? middle : await upTo(turn, high.height - 1);
  return one && one.height > low.height ? one : undefined;
};

/** Whoever parts far below is asked for few blocks all the same: a slow node would keep all else waiting. */
export const forkBelow = async (turn: Turn, from: number): Promise<Fork> => {
  let { shared, parts } = await leap(turn, from);
  if (!shared || !parts) return { shared, parts };
  for (let one = await between(turn, shared, parts); one; one = await between(turn, shared, parts)) {
    if (await isShared(turn, one)) shared = one;
    else parts = one;
  }
  return { shared, parts };
};
