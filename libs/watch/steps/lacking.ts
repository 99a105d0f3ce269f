import { setImmediate as breathe } from 'node:timers/promises';
import type { ChainNode } from '#chains';

/** A mempool may have some hundred thousand: whoever else runs here comes in between. */
const AT_ONCE = 5_000;

/** Of one node, which may make them up. */
const MOST = 300_000;

export const inParts = async <T>(all: Iterable<T>, note: (one: T) => void): Promise<void> => {
  let count = 0;
  for (const one of all) {
    note(one);
    count += 1;
    if (count % AT_ONCE === 0) await breathe();
  }
};

/** Whether the node that is read lists a transaction, and has not kept it back. */
export type IsListed = (txid: string) => boolean;

export type Lacking = {
  readonly note: (node: ChainNode, list: ReadonlySet<string>, isListed: IsListed, at: Date) => Promise<void>;
  /** A node that is not among these has no word now. */
  readonly keepOnly: (nodes: readonly ChainNode[]) => void;
  readonly at: (node: ChainNode) => ReadonlyMap<string, Date>;
  /** Who lists one, and since when, the first one first. */
  readonly listing: (txid: string) => readonly { readonly node: ChainNode; readonly since: Date }[];
};

/** What others list and the node that is read does not, of each since when: what came last comes last. */
export const createLacking = (): Lacking => {
  const lists = new Map<ChainNode, ReadonlyMap<string, Date>>();
  const at: Lacking['at'] = (node) => lists.get(node) ?? new Map<string, Date>();
  return {
    at,
    note: async (node, list, isListed, now) => {
      const lacking = new Map<string, Date>();
      const add = (txid: string, since: Date): void => {
        if (lacking.size < MOST && !lacking.has(txid) && !isListed(txid)) lacking.set(txid, since);
      };
      await inParts(at(node), ([txid, since]) => {
        if (list.has(txid)) add(txid, since);
      });
      await inParts(list, (txid) => add(txid, now));
      lists.set(node, lacking);
    },
    keepOnly: (nodes) => {
      for (const node of lists.keys()) if (!nodes.includes(node)) lists.delete(node);
    },
    listing: (txid) =>
      [...lists]
        .flatMap(([node, list]) => {
          const since = list.get(txid);
          return since ? [{ node, since }] : [];
        })
        .toSorted((one, other) => one.since.getTime() - other.since.getTime()),
  };
};
