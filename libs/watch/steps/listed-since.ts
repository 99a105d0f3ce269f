import type { ChainNode } from '#chains';
import { type ListedSince, type Turn, timeOf, type WatchParts } from '../parts.ts';
import type { Tip } from '../rows/tip.ts';
import { isWell } from './ask-until.ts';
import { inParts } from './lacking.ts';
import { createPoolReads } from './pool-reads.ts';

/** A node with a large mempool takes long to tell it: no more than a fifth of its time. */
const RESTS = 4;
const REST_MS = 1_000;

/** Of one node, whatever the others make up. */
const MOST = 300_000;

/**
 * By when as many nodes listed it as have to agree, the one that is read among them. A name is no payment, so nothing is
 * told by that: it says when one was seen that as many turn out to have, and whom to ask about first.
 */
export const listedSince = ({ chain, listed }: Pick<Turn, 'chain' | 'listed'>, txid: string): Date | undefined => {
  if (chain.agree <= 1) return undefined;
  const sinces: Date[] = [];
  for (const those of listed.values()) {
    const since = those.get(txid);
    if (since) sinces.push(since);
  }
  return sinces.toSorted((one, other) => one.getTime() - other.getTime())[chain.agree - 2];
};

/** What the node that is read lists, what of that was not looked at yet, and whether that takes more than a moment. */
export type Open = {
  readonly tip: Tip;
  readonly mempool: ReadonlySet<string>;
  readonly open: ReadonlySet<string>;
  readonly isMuch: boolean;
};

export type ListElsewhere = (turn: Turn, open: Open) => Promise<void>;

/** Each by itself, as seldom as its own reads take long: of one that takes longer, or fails, what it listed before stands. */
const createLists = (parts: Pick<WatchParts, 'now'>) => {
  const reads = createPoolReads(() => timeOf(parts).getTime());
  const [begun, restsUntil] = [new Map<ChainNode, number>(), new Map<ChainNode, number>()];

  return async (nodes: readonly ChainNode[]): Promise<ReadonlyMap<ChainNode, ReadonlySet<string>>> => {
    const [listed, from] = [reads(), performance.now()];
    const lists = new Map<ChainNode, ReadonlySet<string>>();
    const ask = async (node: ChainNode): Promise<void> => {
      begun.set(node, begun.get(node) ?? from);
      lists.set(node, await listed(node));
      const [to, since] = [performance.now(), begun.get(node) ?? from];
      begun.delete(node);
      restsUntil.set(node, to + Math.max(REST_MS, RESTS * (to - since)));
    };
    const asked = nodes.filter((node) => from >= (restsUntil.get(node) ?? from));
    await Promise.all(asked.map((node) => ask(node).catch(() => undefined)));
    return lists;
  };
};

/** Of what has left the mempool of the node that is read, the tip at which it was missed. */
type Gone = ReadonlyMap<string, string>;

/** It may be in the block that is applied next; one that comes back after all has come anew. */
const isStill =
  (gone: Gone, { tip, mempool, open }: Open, list: ReadonlySet<string> | undefined) =>
  (txid: string): boolean => {
    if (!mempool.has(txid)) return (gone.get(txid) ?? tip.hash) === tip.hash;
    return !gone.has(txid) && open.has(txid) && list?.has(txid) !== false;
  };

const goneOf = (before: Gone, listed: ListedSince, { tip, mempool }: Open): Gone => {
  const txids = [...listed.values()].flatMap((those) => [...those.keys()].filter((txid) => !mempool.has(txid)));
  return new Map(txids.map((txid) => [txid, before.get(txid) ?? tip.hash]));
};

const isNoted = (listed: ListedSince, { open }: Open): boolean =>
  [...listed.values()].some((those) => [...those.keys()].some((txid) => open.has(txid)));

type Then = { readonly gone: Gone; readonly now: Open; readonly at: Date };

/** What one node lists since when, by its list or, without one, as before. */
const nextOf = async (
  before: ReadonlyMap<string, Date> | undefined,
  list: ReadonlySet<string> | undefined,
  { gone, now, at }: Then,
): Promise<ReadonlyMap<string, Date>> => {
  const [next, isKept] = [new Map<string, Date>(), isStill(gone, now, list)];
  await inParts(before ?? [], ([txid, since]) => {
    if (isKept(txid)) next.set(txid, since);
  });
  await inParts(list ? now.open : [], (txid) => {
    if (list?.has(txid) && next.size < MOST && !next.has(txid)) next.set(txid, at);
  });
  return next;
};

/**
 * Nodes are asked about one payment after the other, and behind a crowd that they refuse an honest one would have come only
 * when its turn does. So what others that are well list is noted meanwhile, as soon as there is much to ask, and for as long
 * as anything that was noted is open.
 */
export const createListElsewhere = (parts: Pick<WatchParts, 'now'>): ListElsewhere => {
  const listsOf = createLists(parts);
  let gone: Gone = new Map();

  return async (turn, now) => {
    if (turn.chain.agree <= 1) return;
    const { listed, others } = turn;
    for (const node of listed.keys()) if (!others.includes(node)) listed.delete(node);
    const isAsked = now.isMuch || isNoted(listed, now);
    const lists = await listsOf(isAsked ? others.filter((node) => isWell(turn, node)) : []);
    const at = timeOf(turn);
    for (const node of others) listed.set(node, await nextOf(listed.get(node), lists.get(node), { gone, now, at }));
    gone = goneOf(gone, listed, now);
  };
};
