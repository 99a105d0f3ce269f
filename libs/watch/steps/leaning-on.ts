import type { ChainNode, ChainTransaction } from '#chains';
import type { Turn } from '../parts.ts';
import type { Dependence } from '../rows/inputs.ts';
import { rawOf } from '../rows/payments.ts';
import { type Ancestry, AT_ONCE, ancestorsOf, parentsOf } from './ancestors.ts';
import { askOne } from './ask-until.ts';
import { boundedReads, type Given, type Read, type Shared } from './bounded-reads.ts';
import type { Elder, Sending } from './give.ts';

/** Bitcoin's nodes let 25 wait in a chain, or 64 in a cluster, those of Bitcoin Cash any number: beyond this it is sent alone. */
const MOST_SENT = 100;

/**
 * What it leans on has left the mempool since that was listed, and takes it along, or the node is slow to give it: what is
 * told of both is found anew.
 */
export class AncestorsAwaited extends Error {
  override readonly name = 'AncestorsAwaited';
}

/** Whether anything that it spends waits itself: that is known before anybody is asked. */
export const leansOnAny = (transaction: ChainTransaction, listed: ReadonlySet<string>): boolean =>
  parentsOf(transaction).some((txid) => listed.has(txid));

/** What a transaction of the mempool leans on there, by bytes that its name proves. */
export type Ancestors = Ancestry<ChainTransaction>;

export const areAwaited = ({ ended }: Ancestors): boolean => ended === 'left' || ended === 'slow';

type Listed = { readonly listed: Pick<ReadonlySet<string>, 'has'> };

/** As it stands at a node that lists these. */
export const waitingAncestors = (
  node: ChainNode,
  transaction: ChainTransaction,
  { listed, given, shared }: Listed & { readonly given?: Given; readonly shared?: Shared },
): Promise<Ancestors> => {
  const bounded = boundedReads(node, given, shared);
  const read: Read = async (txids) => {
    const there = await bounded(txids);
    return there.length < txids.length && typeof there !== 'string' ? 'left' : there;
  };
  return ancestorsOf(transaction, { has: (txid) => listed.has(txid), read });
};

export type AskAncestors = (transaction: ChainTransaction) => Promise<Ancestors>;

/**
 * A node far away gives in each turn some of it. More payments at once begin anew until one of these is done, which a later
 * one takes the place of none of: else none would ever be.
 */
const MOST_BEGUN = 8;

const begunAt = ({ node, untold: { begun } }: Turn): Map<string, Given> => {
  const there = begun.get(node.name) ?? new Map<string, Given>();
  begun.set(node.name, there);
  return there;
};

type There = Listed & { readonly shared: Shared };

const goOn = async (turn: Turn, transaction: ChainTransaction, there: There): Promise<Ancestors> => {
  const { txid } = transaction;
  const begun = begunAt(turn);
  const given: Given = begun.get(txid) ?? new Map();
  const ancestors = await waitingAncestors(turn.node, transaction, { ...there, given });
  if (ancestors.ended !== 'slow') begun.delete(txid);
  else if (begun.size < MOST_BEGUN) begun.set(txid, given);
  return ancestors;
};

/** At the node that is read, of each asked once. */
export const ancestorsIn = (turn: Turn, there: There): AskAncestors => {
  const known = new Map<string, Promise<Ancestors>>();
  const begun = begunAt(turn);
  for (const txid of begun.keys()) if (!there.listed.has(txid)) begun.delete(txid);
  return (transaction) => {
    const ancestors = known.get(transaction.txid) ?? goOn(turn, transaction, there);
    known.set(transaction.txid, ancestors);
    return ancestors;
  };
};

/** Each behind what it spends, also where that spends nothing itself. */
const eldestFirst = (all: readonly Pick<ChainTransaction, 'txid' | 'inputs'>[]): readonly string[] => {
  const byTxid = new Map(all.map((each) => [each.txid, each]));
  const sorted = new Set<string>();
  const begun = new Set<string>();
  const add = (txid: string): void => {
    if (begun.has(txid)) return;
    begun.add(txid);
    for (const parent of parentsOf(byTxid.get(txid) ?? { inputs: [] })) if (byTxid.has(parent)) add(parent);
    sorted.add(txid);
  };
  for (const txid of byTxid.keys()) add(txid);
  return [...sorted];
};

/** No name covers a witness, which one node could spoil: each is sent as every node gave it, and one of those is taken. */
const bytesOf = (txids: readonly string[], given: readonly ChainTransaction[]): readonly Elder[] => {
  const byTxid = Map.groupBy(given, ({ txid }) => txid);
  const rawsOf = (txid: string) => new Set((byTxid.get(txid) ?? []).flatMap(({ raw }) => raw?.() ?? []));
  return txids.flatMap((txid) => [...rawsOf(txid)].map((raw) => ({ txid, raw })));
};

const isSent = ({ those, ended }: Ancestors): boolean => ended === 'whole' && those.length <= MOST_SENT;

/**
 * The bytes of what a payment leans on, in the order in which a node takes them that has none of it; with what others that
 * have it gave of that.
 */
export const bytesBefore = (ancestors: Ancestors, alsoGiven: readonly ChainTransaction[] = []): readonly Elder[] =>
  isSent(ancestors) ? bytesOf(eldestFirst(ancestors.those), [...ancestors.those, ...alsoGiven]) : [];

const givenBy = async (node: ChainNode, txids: readonly string[]): Promise<readonly ChainTransaction[]> => {
  const given: ChainTransaction[] = [];
  const read = boundedReads(node);
  for (let from = 0; from < txids.length; from += AT_ONCE) {
    const some = await read(txids.slice(from, from + AT_ONCE));
    if (typeof some === 'string') return [];
    given.push(...some);
  }
  return given;
};

/** What these have of what a payment leans on that they have too. */
export const ancestorsGivenBy = async (
  turn: Turn,
  having: readonly ChainNode[],
  ancestors: Ancestors,
): Promise<readonly ChainTransaction[]> => {
  const txids = isSent(ancestors) ? ancestors.those.map(({ txid }) => txid) : [];
  const given = await Promise.all(having.map((node) => askOne(turn, node, () => givenBy(node, txids))));
  return given.flatMap((each) => each ?? []);
};

/** One that waited, as it was seen; null where no node gave its bytes. */
export const sendingOf = async (
  { pool, chain, node, others, silent }: Turn,
  txid: string,
  dependences: readonly Dependence[],
): Promise<Sending | null> => {
  const raw = await rawOf(pool, chain.coin, txid);
  if (raw === null) return null;
  const spending = [...Map.groupBy(dependences, ({ via }) => via)].map(([via, those]) => ({
    txid: via,
    inputs: those.map(({ outpoint }) => outpoint),
  }));
  const vias = eldestFirst(spending).filter((via) => via !== txid);
  const asked = vias.length <= MOST_SENT ? [node, ...others] : [];
  const given = await Promise.all(asked.map((each) => silent.ask(each, () => givenBy(each, vias))));
  const before = bytesOf(
    vias,
    given.flatMap((each) => each ?? []),
  );
  return { raw, before };
};
