import type { ChainNode, ChainTransaction } from '#chains';

/** Longer than a node takes that is merely busy. */
const LONGEST_MS = 3_000;

/** By policy what a payment leans on has 101 kvB at most, and so 404 kB. */
const MOST_BYTES = 2 ** 20;

const bytesIn = (transactions: readonly ChainTransaction[]): number =>
  transactions.reduce((sum, { raw }) => sum + (raw?.().length ?? 0) / 2, 0);

export type Read = (txids: readonly string[]) => Promise<readonly ChainTransaction[] | undefined>;

/** As far as the ancestors of one payment may go: a node may make up any number, and take any time. Undefined beyond. */
export const boundedReads = (node: ChainNode): Read => {
  const until = performance.now() + LONGEST_MS;
  let bytes = 0;
  return async (txids) => {
    if (performance.now() >= until) return undefined;
    const there = await node.transactions(txids);
    bytes += bytesIn(there);
    return bytes > MOST_BYTES ? undefined : there;
  };
};
