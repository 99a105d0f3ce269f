import {
  AnswerTooLarge,
  type ChainBlock,
  type ChainNode,
  isOfNode,
  NodeRefused,
  NodeUnreachable,
  NodeUnreadable,
  unless,
} from '#chains';
import { ChainHeld, type Turn } from '../parts.ts';
import type { Conflict } from '../rows/inputs.ts';
import { type Payment, paymentsOfBlock } from '../rows/payments.ts';
import { contradictionIn } from './check-gains.ts';
import { endedIn } from './ended-in.ts';
import { countsNow, keyOf, type Match, matchesIn, matchKey } from './matches.ts';
import { spelled } from './shown.ts';

export type Applied = { readonly hash: string; readonly height: number };

/** The node that a block is read from, and all that may be asked beside it whether they show the same. */
export type Beside = { readonly node: ChainNode; readonly others: readonly ChainNode[] };

/** A block that was applied, as a node shows it now: what was not taken from it, and what was and is not there. */
export type Reading = {
  readonly block: ChainBlock;
  /** All of ours that it pays there, whatever is known of that. */
  readonly shown: string;
  readonly missing: readonly Match[];
  readonly surplus: readonly Payment[];
  /** What waits and cannot come any more behind it. */
  readonly ended: readonly Conflict[];
};

/** What is too large is an answer, and says nothing of the next block. */
const blockOf = async ({ hanging }: Turn, node: ChainNode, hash: string): Promise<ChainBlock | undefined> => {
  try {
    return await node.block(hash);
  } catch (error) {
    if (error instanceof NodeUnreachable && !(error instanceof AnswerTooLarge)) hanging.add(node);
    throw error;
  }
};

/** Undefined where the node does not have it. */
export const readingBy = async (
  turn: Turn,
  node: ChainNode,
  { hash, height }: Applied,
): Promise<Reading | undefined> => {
  const { pool, chain } = turn;
  const block = await blockOf(turn, node, hash);
  if (!block) return undefined;
  const matches = await matchesIn(pool, chain, block.transactions);
  const contradiction = await contradictionIn(pool, chain, block, matches);
  if (contradiction !== undefined) throw new NodeUnreadable(contradiction);
  const known = await paymentsOfBlock(pool, chain.coin, height);
  const taken = known.filter((payment) => !countsNow(chain, payment));
  const [knownKeys, paid] = [new Set(taken.map(keyOf)), new Set(matches.map(matchKey))];
  return {
    block,
    shown: spelled(paid),
    missing: matches.filter((match) => !knownKeys.has(matchKey(match))),
    surplus: known.filter((payment) => !paid.has(keyOf(payment))),
    ended: await endedIn(pool, chain, block.transactions, matches),
  };
};

/** It may have no longer the state of then, which says nothing of what it tells of newer blocks. */
const isOfThePast = (error: unknown): boolean => error instanceof NodeRefused;

/** A witness that fails is one less, and keeps nobody from anything. */
export const asWitness = async <T>({ failing }: Turn, node: ChainNode, asked: Promise<T>): Promise<T | undefined> => {
  try {
    return await asked;
  } catch (error) {
    if (!isOfNode(error)) throw error;
    failing.fails(node, error);
    return undefined;
  }
};

/** By what they show, and not by how that differs from what is known: a turn may give the block up between two readings. */
const showingLike = (all: readonly Reading[], { shown }: Reading): number =>
  all.filter((each) => each.shown === shown).length;

/** One that hangs has no word on a block, and is not waited for with each while the others are as many as have to agree. */
export const besideOf = (
  { chain, hanging }: Turn,
  node: ChainNode,
  others: readonly ChainNode[],
): readonly ChainNode[] => {
  const beside = [...new Set(others)].filter((other) => other !== node);
  const answering = beside.filter((other) => !hanging.has(other));
  return 1 + answering.length >= chain.agree ? answering : beside;
};

export const sentenceOn = (node: ChainNode, height: number, { missing, surplus }: Reading): string => {
  const first = missing[0]?.transaction.txid ?? surplus[0]?.txid ?? 'none';
  return `${node.name} shows in block ${height} ${missing.length} payments that were not taken from it, and lacks ${surplus.length} that were (first ${first})`;
};

/**
 * One node that differs changes nothing of what was told: as many have to show the same as have to agree on a block, and
 * more than half of those that give it. Where none contradicts, more may come.
 */
export const checkAgreed = async (
  turn: Turn,
  reading: Reading,
  { node, others, ...applied }: Applied & Beside,
): Promise<void> => {
  if (reading.block.isProven) return;
  const beside = besideOf(turn, node, others);
  const theirs = await Promise.all(
    beside.map((other) => asWitness(turn, other, unless(isOfThePast, readingBy(turn, other, applied)))),
  );
  const all = [reading, ...theirs.filter((each) => each !== undefined)];
  const same = showingLike(all, reading);
  const needed = Math.max(turn.chain.agree, Math.floor(all.length / 2) + 1);
  if (same >= needed) return;
  throw new ChainHeld(
    `${sentenceOn(node, applied.height, reading)}; ${same} of ${all.length} nodes show it so, and ${needed} have to before that is put right`,
    same === all.length,
  );
};

/**
 * Nor does one node say alone, of a block that is read because something may be missing, that nothing is, where another
 * that gives it contradicts: as many have to as have to agree, and half of those. Who has not got it, or no longer the state
 * of then, has no word, and is no worse for that.
 */
export const checkNothing = async (
  turn: Turn,
  reading: Reading,
  { node, others, ...applied }: Applied & Beside,
): Promise<void> => {
  if (reading.block.isProven) return;
  const beside = besideOf(
    turn,
    node,
    others.filter((other) => !turn.failing.has(other)),
  );
  const theirs = await Promise.all(beside.map((other) => unless(isOfNode, readingBy(turn, other, applied))));
  const all = [reading, ...theirs.filter((each) => each !== undefined)];
  const same = showingLike(all, reading);
  if (same === all.length || (same >= turn.chain.agree && 2 * same >= all.length)) return;
  throw new ChainHeld(`${sentenceOn(node, applied.height, reading)}; ${same} of ${all.length} nodes show it so`);
};
