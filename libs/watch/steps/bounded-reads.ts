import type { ChainNode, ChainTransaction } from '#chains';
import type { Unsettled } from './ancestors.ts';

/** Longer than a node takes that is merely busy. */
const LONGEST_MS = 3_000;

/** Bitcoin's nodes let 101 kvB wait in a chain or a cluster, and so 404 kB; those of Bitcoin Cash may let more. */
const MOST_BYTES = 2 ** 20;

const bytesIn = (transactions: Iterable<ChainTransaction>): number =>
  [...transactions].reduce((sum, { raw }) => sum + (raw?.().length ?? 0) / 2, 0);

export type Read = Unsettled<ChainTransaction>['read'];

/** What a node gave already of what it is asked for. */
export type Given = Map<string, ChainTransaction>;

/** As far as the ancestors of one payment may go: a node may make up any number, and take any time. */
export const boundedReads = (node: ChainNode, given: Given = new Map()): Read => {
  const until = performance.now() + LONGEST_MS;
  let bytes = bytesIn(given.values());
  return async (txids) => {
    const open = txids.filter((txid) => !given.has(txid));
    if (open.length > 0) {
      if (performance.now() >= until) return 'slow';
      const there = await node.transactions(open);
      bytes += bytesIn(there);
      if (bytes > MOST_BYTES) return 'too many';
      for (const each of there) given.set(each.txid, each);
    }
    return txids.flatMap((txid) => given.get(txid) ?? []);
  };
};
