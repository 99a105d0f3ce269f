import type { ChainNode } from '#chains';
import { withinTime } from '#platform/pause';
import type { Dependence } from '../rows/inputs.ts';

/** How many nodes that are well have this block on their best branch. */
export type Agreement = (hash: string, height: number) => Promise<number>;

/** A node that hangs has nothing to say. */
const PATIENCE_MS = 3_000;

export const agreementAmong =
  (well: () => readonly ChainNode[]): Agreement =>
  async (hash, height) => {
    const there = await Promise.all(
      well().map((node) => withinTime(node.hashAt(height), PATIENCE_MS).catch(() => undefined)),
    );
    return there.filter((each) => each === hash).length;
  };

/** How many other nodes have a payment that waits, and whether one has what ends it. */
export type Word = { readonly having: number; readonly hasRival: boolean };

export type Witnesses = (txid: string, dependences: readonly Dependence[]) => Promise<Word>;

type Answer = 'has it' | 'has a rival' | 'has neither';

/** Beside a transaction that it has no mempool keeps another that spends the same. */
const ask = async (node: ChainNode, txid: string, dependences: readonly Dependence[]): Promise<Answer> => {
  if ((await node.raw(txid)) !== undefined) return 'has it';
  const own = new Set([txid, ...dependences.map(({ via }) => via)]);
  const spenders = await node.spenders(dependences.map(({ outpoint }) => outpoint));
  return spenders.some((each) => !own.has(each)) ? 'has a rival' : 'has neither';
};

/** For one turn: of one that hangs, or fails, nothing else is asked in it. */
export const createWitnesses = (nodes: readonly ChainNode[]): Witnesses => {
  const silent = new Set<ChainNode>();
  return async (txid, dependences) => {
    const answerOf = (node: ChainNode) =>
      withinTime(ask(node, txid, dependences), PATIENCE_MS).catch(() => void silent.add(node));
    const answers = await Promise.all(nodes.filter((node) => !silent.has(node)).map(answerOf));
    return {
      having: answers.filter((answer) => answer === 'has it').length,
      hasRival: answers.includes('has a rival'),
    };
  };
};
