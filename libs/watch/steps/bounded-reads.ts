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

/** The same of what many lean on, in one turn: no more is held than of some of them, since there may be any number. */
export type Shared = { readonly get: Given['get']; readonly add: (transaction: ChainTransaction) => void };

const MOST_SHARED_BYTES = 8 * MOST_BYTES;

export const createShared = (): Shared => {
  const given: Given = new Map();
  let bytes = 0;
  return {
    get: (txid) => given.get(txid),
    add: (transaction) => {
      bytes += bytesIn([transaction]);
      if (bytes <= MOST_SHARED_BYTES) given.set(transaction.txid, transaction);
    },
  };
};

/** As far as the ancestors of one payment may go: a node may make up any number, and take any time. */
export const boundedReads = (node: ChainNode, given: Given = new Map(), shared = createShared()): Read => {
  const until = performance.now() + LONGEST_MS;
  let bytes = bytesIn(given.values());
  /** False where that is too much. */
  const take = (there: readonly ChainTransaction[]): boolean => {
    bytes += bytesIn(there);
    if (bytes > MOST_BYTES) return false;
    for (const each of there) given.set(each.txid, each);
    return true;
  };
  const ask = async (txids: readonly string[]): Promise<readonly ChainTransaction[]> => {
    const there = await node.transactions(txids);
    for (const each of there) shared.add(each);
    return there;
  };
  return async (txids) => {
    const missing = txids.filter((txid) => !given.has(txid));
    if (!take(missing.flatMap((txid) => shared.get(txid) ?? []))) return 'too many';
    const open = missing.filter((txid) => !given.has(txid));
    if (open.length > 0 && performance.now() >= until) return 'slow';
    if (open.length > 0 && !take(await ask(open))) return 'too many';
    return txids.flatMap((txid) => given.get(txid) ?? []);
  };
};
