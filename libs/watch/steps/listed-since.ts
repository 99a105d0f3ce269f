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

const without = (listed: ListedSince, nodes: readonly ChainNode[]): void => {
  for (const node of listed.keys()) if (!nodes.includes(node)) listed.delete(node);
};

/**
 * Nodes are asked about one payment after the other, and behind a crowd that they refuse an honest one would have come only
 * when its turn does. So what others that are well list is noted meanwhile, as soon as there is much to ask.
 */
export const createListElsewhere = (parts: Pick<WatchParts, 'now'>): ListElsewhere => {
  const reads = createPoolReads(() => timeOf(parts).getTime());
  let restsUntil = Number.NEGATIVE_INFINITY;
  let on: string | undefined;

  /** Of one that takes longer, or fails, what it listed before stands. */
  const listsOf = async (nodes: readonly ChainNode[]): Promise<readonly (ReadonlySet<string> | undefined)[]> => {
    const [listed, from] = [reads(), performance.now()];
    if (from < restsUntil) return [];
    const lists = await Promise.all(nodes.map((node) => listed(node).catch(() => undefined)));
    const to = performance.now();
    restsUntil = to + Math.max(REST_MS, RESTS * (to - from));
    return lists;
  };

  return async (turn, { tip, mempool, open, isMuch }) => {
    if (turn.chain.agree <= 1) return;
    const nodes = turn.others.filter((node) => isWell(turn, node));
    without(turn.listed, nodes);
    const lists = isMuch ? await listsOf(nodes) : [];
    const at = timeOf(turn);
    // What is gone may be in the block that is applied next.
    const mayBeMined = (txid: string): boolean => tip.hash === on && !mempool.has(txid);
    on = tip.hash;
    for (const [nth, node] of nodes.entries()) {
      const [list, before, next] = [lists[nth], turn.listed.get(node) ?? [], new Map<string, Date>()];
      const add = (txid: string, since: Date): void => {
        if (next.size < MOST && !next.has(txid)) next.set(txid, since);
      };
      await inParts(before, ([txid, since]) => {
        if (mayBeMined(txid) || (open.has(txid) && list?.has(txid) !== false)) add(txid, since);
      });
      await inParts(list ? open : [], (txid) => {
        if (list?.has(txid)) add(txid, at);
      });
      turn.listed.set(node, next);
    }
  };
};
