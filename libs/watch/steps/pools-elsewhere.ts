import type { ChainNode } from '#chains';
import type { Reading } from '../nodes/reading.ts';
import { askedFirst, type Turn, timeOf, type WatchParts } from '../parts.ts';
import { createLacking, type IsListed, inParts } from './lacking.ts';
import { isDust } from './matches.ts';
import type { MempoolNews } from './mempool.ts';
import { createPoolReads } from './pool-reads.ts';
import { certainWaiting } from './proven.ts';
import { createUnlisted } from './unlisted.ts';

/** As few at once as of the node that is read, since each may be large. */
const AT_ONCE = 25;

/** Of one node. What is left is looked at with the next look, what came last first. */
const LONGEST_MS = 3_000;

/** Whoever was not read for longer may list what came since. */
const FRESH_MS = 30_000;

type Read = { readonly node: ChainNode; readonly at: number } & Pick<MempoolNews, 'mempool' | 'ungiven'>;

export type PoolsElsewhere = {
  /** What the node that is read lists. */
  readonly note: (node: ChainNode, news: Pick<MempoolNews, 'mempool' | 'ungiven'>) => void;
  /** Beside the turns. */
  readonly look: (turn: Turn, others: readonly ChainNode[]) => Promise<void>;
};

/**
 * The node that is read may have lost what waits, as with a restart, or hide some of it. So others are asked for theirs
 * beside the turns, and what they list and it does not is looked at once: what pays us was seen when as many listed it as
 * have to agree, and is sent to the node that is read, which tells of it where it takes it.
 */
export const createPoolsElsewhere = (parts: WatchParts, reading: Pick<Reading, 'leave'>): PoolsElsewhere => {
  const reads = createPoolReads(() => timeOf(parts).getTime());
  const lacking = createLacking();
  const unlisted = createUnlisted(reading, lacking);
  /** Of those that still wait somewhere. */
  const looked = new Set<string>();
  const ungiven = new Map<ChainNode, Set<string>>();
  let read: Read | undefined;

  const now = (): number => timeOf(parts).getTime();

  const isRead = (node: ChainNode): boolean => read?.node === node && now() - read.at <= FRESH_MS;

  /** As it was found last, maybe since the others were. */
  const isListed: IsListed = (txid) => read?.mempool.has(txid) === true && !read.ungiven.has(txid);

  const ungivenBy = (node: ChainNode): Set<string> => {
    const those = ungiven.get(node) ?? new Set();
    ungiven.set(node, those);
    return those;
  };

  const list = async (turn: Turn, nodes: readonly ChainNode[]): Promise<void> => {
    const [listed, at] = [reads(), timeOf(turn)];
    // Of one that takes longer, or fails, what it listed before stands.
    const lists = await Promise.all(nodes.map((node) => listed(node).catch(() => undefined)));
    lacking.keepOnly(nodes);
    for (const [nth, node] of nodes.entries()) {
      const each = lists[nth];
      if (each) await lacking.note(node, each, isListed, at);
    }
  };

  const forget = async (nodes: readonly ChainNode[]): Promise<void> => {
    await inParts(looked, (txid) => {
      if (!nodes.some((node) => lacking.at(node).has(txid))) looked.delete(txid);
    });
    for (const node of ungiven.keys()) if (!nodes.includes(node)) ungiven.delete(node);
    for (const [node, those] of ungiven)
      await inParts(those, (txid) => {
        if (!lacking.at(node).has(txid)) those.delete(txid);
      });
  };

  const openAt = async (node: ChainNode): Promise<readonly string[]> => {
    const [open, asked]: [string[], ReadonlySet<string>] = [[], ungivenBy(node)];
    await inParts(lacking.at(node).keys(), (txid) => {
      if (!(looked.has(txid) || asked.has(txid) || unlisted.has(txid) || isListed(txid))) open.push(txid);
    });
    return open.reverse();
  };

  /** Undefined where it does not answer. */
  const lookAt = async (turn: Turn, node: ChainNode, txids: readonly string[]): Promise<true | undefined> => {
    const given = await turn.silent.ask(node, ({ transactions }) => transactions(txids));
    if (!given) return undefined;
    const { matches } = await certainWaiting(askedFirst(turn, node), given);
    const paying = new Set(matches.flatMap((each) => (isDust(turn.chain, each) ? [] : [each.transaction.txid])));
    await unlisted.add(turn, [...paying]);
    for (const { txid } of given) if (!unlisted.has(txid)) looked.add(txid);
    const there = new Set(given.map(({ txid }) => txid));
    for (const txid of txids) if (!there.has(txid)) ungivenBy(node).add(txid);
    return true;
  };

  const lookThrough = async (turn: Turn, node: ChainNode): Promise<void> => {
    const open = await openAt(node);
    const until = performance.now() + LONGEST_MS;
    const isOver = (): boolean => turn.stopping.aborted || performance.now() >= until;
    for (let from = 0; from < open.length && !isOver(); from += AT_ONCE)
      if (!(await lookAt(turn, node, open.slice(from, from + AT_ONCE)))) return;
  };

  return {
    note: (node, { mempool, ungiven: keptBack }) => {
      read = { node, at: now(), mempool, ungiven: keptBack };
    },
    look: async (turn, others) => {
      if (others.length === 0 || !isRead(turn.node)) return;
      await list(turn, others);
      await forget(others);
      for (const node of others) await lookThrough(turn, node);
      await unlisted.look(turn, isListed);
    },
  };
};
