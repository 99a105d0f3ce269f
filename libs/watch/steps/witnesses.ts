import type { ChainNode } from '#chains';
import type { Silent } from '../nodes/silent.ts';
import type { Dependence } from '../rows/inputs.ts';

/** How many nodes that are well have this block on their best branch. */
export type Agreement = (hash: string, height: number) => Promise<number>;

export const agreementAmong =
  (well: () => readonly ChainNode[], silent: Silent): Agreement =>
  async (hash, height) => {
    const there = await Promise.all(well().map((node) => silent.ask(node, ({ hashAt }) => hashAt(height))));
    return there.filter((each) => each === hash).length;
  };

/** How many other nodes have a payment that waits, and whether one has what ends it. */
export type Word = { readonly having: number; readonly hasRival: boolean };

export type Witnesses = (txid: string, dependences: readonly Dependence[]) => Promise<Word>;

type Answer = 'has it' | 'has a rival' | 'has neither';

const isWaitingAt = async (node: ChainNode, txid: string): Promise<boolean> =>
  node.hasWaiting ? node.hasWaiting(txid) : (await node.raw(txid)) !== undefined;

/** Beside a transaction that it has no mempool keeps another that spends the same. */
const ask = async (node: ChainNode, txid: string, dependences: readonly Dependence[]): Promise<Answer> => {
  if (await isWaitingAt(node, txid)) return 'has it';
  const own = new Set([txid, ...dependences.map(({ via }) => via)]);
  const spenders = await node.spenders(dependences.map(({ outpoint }) => outpoint));
  return spenders.some((each) => !own.has(each)) ? 'has a rival' : 'has neither';
};

export const createWitnesses =
  (nodes: readonly ChainNode[], silent: Silent): Witnesses =>
  async (txid, dependences) => {
    const answers = await Promise.all(nodes.map((node) => silent.ask(node, (each) => ask(each, txid, dependences))));
    return {
      having: answers.filter((answer) => answer === 'has it').length,
      hasRival: answers.includes('has a rival'),
    };
  };
