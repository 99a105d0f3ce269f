import type { ChainNode } from '#chains';
import { type Turn, timeOf, type WatchParts } from '../parts.ts';
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
  const sinces: Date[] = [];
  for (const those of listed.values()) {
    const since = those.get(txid);
    if (since) sinces.push(since);
  }
  return sinces.toSorted((one, other) => one.getTime() - other.getTime())[Math.max(1, chain.agree) - 1];
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
  const restsUntil = new Map<ChainNode, number>();
  const reads = createPoolReads(
    () => timeOf(parts).getTime(),
    (node, tookMs) => restsUntil.set(node, performance.now() + Math.max(REST_MS, RESTS * tookMs)),
  );

  return async (nodes: readonly ChainNode[]): Promise<ReadonlyMap<ChainNode, ReadonlySet<string>>> => {
    const [listed, from] = [reads(), performance.now()];
    const lists = new Map<ChainNode, ReadonlySet<string>>();
    const ask = async (node: ChainNode): Promise<void> => void lists.set(node, await listed(node));
    const asked = nodes.filter((node) => from >= (restsUntil.get(node) ?? from));
    await Promise.all(asked.map((node) => ask(node).catch(() => undefined)));
    return lists;
  };
};

/** Of what was missed where it had been listed, the tip at that moment. */
type Missed = ReadonlyMap<string, string>;

/** What a node lists since when, and what of that it lists no more. */
type Known = { readonly since: ReadonlyMap<string, Date>; readonly missed: Missed };

const NOTHING: Known = { since: new Map(), missed: new Map() };

/** It may be in the block that is applied next; one that comes back after all has come anew. */
const isStill = (txid: string, missed: Missed, isListed: boolean, { tip }: Open): boolean =>
  isListed ? !missed.has(txid) : (missed.get(txid) ?? tip.hash) === tip.hash;

const missedOf = (before: Missed, listed: Iterable<string>, list: ReadonlySet<string>, { tip }: Open): Missed => {
  const missed = new Map<string, string>();
  for (const txid of listed) if (!list.has(txid)) missed.set(txid, before.get(txid) ?? tip.hash);
  return missed;
};

const areOthersAsked = ({ chain }: Turn): boolean => chain.agree > 1;

/** At another, where others are asked: the one that is read may list for hours what all refuse. */
const isNoted = (turn: Turn, { open }: Open): boolean =>
  [...turn.listed].some(
    ([node, those]) =>
      !(areOthersAsked(turn) && node === turn.node) && [...those.keys()].some((txid) => open.has(txid)),
  );

type Then = { readonly gone: Missed; readonly now: Open; readonly at: Date };

/** What one node lists since when, by its list or, without one, as before. */
const nextOf = async (
  { since: before, missed }: Known,
  list: ReadonlySet<string> | undefined,
  { gone, now, at }: Then,
): Promise<Known> => {
  const since = new Map<string, Date>();
  const isOpen = (txid: string): boolean =>
    isStill(txid, gone, now.mempool.has(txid), now) && (now.open.has(txid) || !now.mempool.has(txid));
  const isKept = (txid: string): boolean => isOpen(txid) && (!list || isStill(txid, missed, list.has(txid), now));
  await inParts(before, ([txid, from]) => {
    if (isKept(txid)) since.set(txid, from);
  });
  await inParts(list ? now.open : [], (txid) => {
    if (list?.has(txid) && since.size < MOST && !since.has(txid)) since.set(txid, at);
  });
  return { since, missed: list ? missedOf(missed, since.keys(), list, now) : missed };
};

/** One that is away for a moment lists what it listed, as far as anybody knows. */
const isLost = ({ node, others, looks, lately }: Turn, one: ChainNode): boolean =>
  one !== node &&
  !others.includes(one) &&
  (!lately.hasAnswered(one) || looks.some((look) => look.node === one && look.state === 'wrong'));

type Memory = { readonly gone: Missed; readonly missed: ReadonlyMap<ChainNode, Missed> };

const noteAll = async (
  { listed, node: read, others }: Turn,
  lists: ReadonlyMap<ChainNode, ReadonlySet<string>>,
  memory: Memory,
  { now, at }: Pick<Then, 'now' | 'at'>,
): Promise<Memory> => {
  const missed = new Map<ChainNode, Missed>();
  for (const node of new Set([read, ...others, ...listed.keys()])) {
    const known = { since: listed.get(node) ?? NOTHING.since, missed: memory.missed.get(node) ?? NOTHING.missed };
    const next = await nextOf(known, lists.get(node), { gone: memory.gone, now, at });
    listed.set(node, next.since);
    missed.set(node, next.missed);
  }
  const all = [...listed.values()].flatMap((those) => [...those.keys()]);
  return { gone: missedOf(memory.gone, all, now.mempool, now), missed };
};

/**
 * Nodes are asked about one payment after the other, and behind a crowd that they refuse an honest one would have come only
 * when its turn does. So what others that are well list is noted meanwhile, as soon as there is much to ask, and for as long
 * as anything that was noted is open; of the one that is read likewise, since another may be read with the next turn.
 * Where one is believed alone, that one's list is all there is to note.
 */
export const createListElsewhere = (parts: Pick<WatchParts, 'now'>): ListElsewhere => {
  const listsOf = createLists(parts);
  let memory: Memory = { gone: new Map(), missed: new Map() };

  return async (turn, now) => {
    const { listed, node: read, others } = turn;
    for (const node of listed.keys()) if (isLost(turn, node)) listed.delete(node);
    const isAsked = now.isMuch || isNoted(turn, now);
    const asked = isAsked && areOthersAsked(turn) ? others.filter((node) => isWell(turn, node)) : [];
    const lists = new Map(await listsOf(asked));
    if (isAsked) lists.set(read, now.mempool);
    memory = await noteAll(turn, lists, memory, { now, at: timeOf(turn) });
  };
};
