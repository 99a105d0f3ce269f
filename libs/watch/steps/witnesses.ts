import type { ChainNode, ChainTransaction } from '#chains';
import type { Silent } from '../nodes/silent.ts';
import type { Turn } from '../parts.ts';
import type { Dependence } from '../rows/inputs.ts';
import type { Payment } from '../rows/payments.ts';
import { parentsOf } from './ancestors.ts';
import { isSent, keyOf } from './matches.ts';

/** How many nodes that are well have this block on their best branch. */
export type Agreement = (hash: string, height: number) => Promise<number>;

/** One alone goes by itself, and so does the last of several once the others are away for long. */
export const neededIn = ({ chain, looks, lately }: Turn, without: readonly ChainNode[] = []): number => {
  const asked = looks.filter(({ node }) => lately.hasAnswered(node) && !without.includes(node));
  return Math.min(Math.max(1, chain.agree), asked.length);
};

/** What is for good waits for those that were not looked at yet: a watcher may begin while they miss one look. */
export const neededForGood = (turn: Turn): number => {
  const { agree, nodes } = turn.chain;
  return turn.lately.knows() ? neededIn(turn) : Math.min(Math.max(1, agree), nodes.length);
};

/** How many of those by whom that is counted are none of these, which have said something. */
export const speechlessBeside = ({ chain, lately }: Turn, said: readonly ChainNode[]): number =>
  chain.nodes.filter((node) => !said.includes(node) && (lately.hasAnswered(node) || !lately.knows())).length;

export const agreementAmong =
  (well: () => readonly ChainNode[], silent: Silent): Agreement =>
  async (hash, height) => {
    const there = await Promise.all(well().map((node) => silent.ask(node, ({ hashAt }) => hashAt(height))));
    return there.filter((each) => each === hash).length;
  };

/**
 * Which other nodes have a payment that waits, and how many have something else by its name; whether one has what ends
 * it, and whether it cannot come where one stands: by a block that is not applied yet, or that it has not got yet itself.
 */
export type Word = {
  readonly having: readonly ChainNode[];
  readonly contradicting: number;
  readonly hasRival: boolean;
  readonly isBarred: boolean;
};

/** A payment as it was told; where that is not asked, whatever has its name is it. */
type Paid = Pick<Payment, 'chain' | 'txid' | 'vout' | 'script' | 'amount'> & {
  /** Of Ethereum whom it is from, and its number; where that is absent, whoever sends it. */
  readonly inputs?: readonly string[];
};

/** Where it is known what a transaction spends itself. */
export const fromThese = <T extends Paid>(
  txid: string,
  dependences: readonly Dependence[],
  paid: readonly T[],
): readonly T[] => {
  const inputs = dependences.filter(({ via }) => via === txid).map(({ outpoint }) => outpoint);
  return inputs.length > 0 ? paid.map((each) => ({ ...each, inputs })) : paid;
};

export type Witnesses = (txid: string, dependences: readonly Dependence[], paid?: readonly Paid[]) => Promise<Word>;

type Answer = 'has it' | 'has another' | 'has a rival' | 'has no coins for it' | 'has neither';

export const isWaitingAt = async (node: ChainNode, txid: string): Promise<boolean> =>
  node.hasWaiting ? node.hasWaiting(txid) : (await node.raw(txid)) !== undefined;

/** Of what has not come to a node with what it leans on the coins behind that are there. */
const isBarredAt = async (node: ChainNode, txid: string, dependences: readonly Dependence[]): Promise<boolean> => {
  const gone = new Set(await node.gone(dependences.map(({ outpoint }) => outpoint)));
  const byVia = Map.groupBy(dependences, ({ via }) => via);
  const barred = new Map<string, boolean>();
  const isBarred = (via: string): boolean => {
    const known =
      barred.get(via) ?? (byVia.get(via) ?? []).some(({ outpoint }) => gone.has(outpoint) && isLost(outpoint));
    barred.set(via, known);
    return known;
  };
  const isLost = (outpoint: string): boolean => {
    const [parent = ''] = parentsOf({ inputs: [outpoint] });
    return !byVia.has(parent) || isBarred(parent);
  };
  return isBarred(txid);
};

/** What its mempool has in the place of a payment, as far as it can tell. */
export const rivalsAt = async (
  node: ChainNode,
  txid: string,
  dependences: readonly Dependence[],
): Promise<readonly string[]> => {
  const own = new Set([txid, ...dependences.map(({ via }) => via)]);
  const spenders = await node.spenders(dependences.map(({ outpoint }) => outpoint));
  return spenders.filter((each) => !own.has(each));
};

/** Beside a transaction that it has no mempool keeps another that spends the same. Undefined: it has neither. */
const keeps = async (
  node: ChainNode,
  txid: string,
  dependences: readonly Dependence[],
): Promise<Answer | undefined> => {
  if (await isWaitingAt(node, txid)) return 'has it';
  return (await rivalsAt(node, txid, dependences)).length > 0 ? 'has a rival' : undefined;
};

/** Of a payment that is told of one transaction. */
type Shows = (paid: Paid) => boolean;

const isFrom = (said: Pick<ChainTransaction, 'inputs'>, { inputs = said.inputs }: Paid): boolean =>
  String(said.inputs.toSorted()) === String(inputs.toSorted());

const paysThat = ({ outputs }: Pick<ChainTransaction, 'outputs'>, each: Paid): boolean =>
  outputs.some((output) => keyOf({ ...each, ...output }) === keyOf(each));

/**
 * By one answer, whom it is from and whatever it pays. What contracts pass on is known in blocks alone, and left out.
 * Undefined: it has it no more.
 */
export const shownBy = async (node: ChainNode, txid: string): Promise<Shows | undefined> => {
  if (!node.saysOf) return () => true;
  const said = await node.saysOf(txid);
  return said && ((each) => isFrom(said, each) && (!isSent(each) || paysThat(said, each)));
};

/** The same of one that waits there. */
export const shownWaitingBy = async (node: ChainNode, txid: string): Promise<Shows | undefined> =>
  (await isWaitingAt(node, txid)) ? shownBy(node, txid) : undefined;

/** As it was told, and not something else by its name. Undefined: it has it no more. */
export const paysSo = async (node: ChainNode, txid: string, paid: readonly Paid[]): Promise<boolean | undefined> => {
  if (paid.length === 0) return true;
  const shows = await shownBy(node, txid);
  return shows && paid.every(shows);
};

const ANSWERS: ReadonlyMap<boolean | undefined, Answer> = new Map([
  [true, 'has it'],
  [false, 'has another'],
]);

const ask = async (
  node: ChainNode,
  txid: string,
  dependences: readonly Dependence[],
  paid: readonly Paid[],
): Promise<Answer> => {
  const kept = await keeps(node, txid, dependences);
  if (kept === 'has it') return ANSWERS.get(await paysSo(node, txid, paid)) ?? 'has neither';
  return kept ?? ((await isBarredAt(node, txid, dependences)) ? 'has no coins for it' : 'has neither');
};

export type Listed = (node: ChainNode) => Promise<ReadonlySet<string>>;

/** All that waits at a node. */
export const mempoolOf: Listed = async (node) => new Set(await node.mempool());

/** Of each node once. */
export const createListed = (listOf: Listed = mempoolOf): Listed => {
  const lists = new Map<ChainNode, Promise<ReadonlySet<string>>>();
  return (node) => {
    const list = lists.get(node) ?? listOf(node);
    lists.set(node, list);
    return list;
  };
};

export const createWitnesses =
  (nodes: readonly ChainNode[], silent: Silent): Witnesses =>
  async (txid, dependences, paid = []) => {
    const answers = await Promise.all(
      nodes.map((node) => silent.ask(node, (each) => ask(each, txid, dependences, paid))),
    );
    const counted = (wanted: Answer): number => answers.filter((answer) => answer === wanted).length;
    return {
      having: nodes.filter((_, nth) => answers[nth] === 'has it'),
      contradicting: counted('has another'),
      hasRival: answers.includes('has a rival'),
      isBarred: answers.includes('has no coins for it'),
    };
  };
