import type { ChainNode } from '#chains';
import { withinTime } from '#platform/pause';
import { createListed, type Listed, mempoolOf } from './witnesses.ts';

/** Of the time that a node is waited for, which has more to say then: who takes longer is read beside the turns. */
const WAITED_MS = 1_000;

/** What came to wait since then may speak against a payment. */
const FRESH_MS = 30_000;

type Read = { readonly txids: Promise<ReadonlySet<string>>; endedAt: number | undefined; tookMs: number };

/** How long the node was asked, for whoever leaves it in peace after that. */
type OnTaken = (node: ChainNode, tookMs: number) => void;

/**
 * All that waits at other nodes, which a loaded one takes longer to tell than a turn may last: it goes on being read, once,
 * and the first turn after that takes it.
 */
export const createPoolReads = (now: () => number, onTaken: OnTaken = () => undefined) => {
  const untaken = new Map<ChainNode, Read>();

  const begin = (node: ChainNode): Read => {
    const began = performance.now();
    const read: Read = { txids: mempoolOf(node), endedAt: undefined, tookMs: 0 };
    read.txids.then(
      () => {
        read.endedAt = now();
        read.tookMs = performance.now() - began;
      },
      () => untaken.delete(node),
    );
    untaken.set(node, read);
    return read;
  };

  const take = async (node: ChainNode): Promise<ReadonlySet<string>> => {
    const before = untaken.get(node);
    if (before && before.endedAt === undefined) throw new Error(`what waits at ${node.name} is still being read`);
    const isFresh = before?.endedAt !== undefined && now() - before.endedAt <= FRESH_MS;
    const read = isFresh ? before : begin(node);
    const txids = await withinTime(read.txids, WAITED_MS);
    untaken.delete(node);
    onTaken(node, read.tookMs);
    return txids;
  };

  /** In one turn, of each node once. */
  return (): Listed => createListed(take);
};
