import type { ChainNode } from '#chains';
import type { Silent } from '../nodes/silent.ts';
import type { Dependence } from '../rows/inputs.ts';
import { createListed, isWaitingAt, rivalsAt } from './witnesses.ts';

/** Undefined where a node does not say. */
export type Had = readonly string[] | undefined;

/** Whoever has more to look for reads the whole list, once. */
const ONE_BY_ONE = 25;

/** By each of them, what it has that takes the place of a payment: of these, and of what it names itself. */
export const rivalryAmong = (nodes: readonly ChainNode[], silent: Silent) => {
  const listed = createListed();

  const waitingAt = async (node: ChainNode, txids: readonly string[]): Promise<readonly string[]> => {
    if (txids.length > ONE_BY_ONE) {
      const list = await listed(node);
      return txids.filter((txid) => list.has(txid));
    }
    const waiting: string[] = [];
    for (const txid of txids) if (await isWaitingAt(node, txid)) waiting.push(txid);
    return waiting;
  };

  return async (
    txid: string,
    rivals: readonly string[],
    dependences: readonly Dependence[],
  ): Promise<readonly Had[]> => {
    const hadAt = async (node: ChainNode): Promise<readonly string[]> => {
      if (await isWaitingAt(node, txid)) return [];
      const named = await rivalsAt(node, txid, dependences);
      return named.length > 0 ? named : waitingAt(node, rivals);
    };
    return Promise.all(nodes.map((node) => silent.ask(node, hadAt)));
  };
};
