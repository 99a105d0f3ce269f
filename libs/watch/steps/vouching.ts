import { AnswerTooLarge, type ChainNode, NodeRefused, unless } from '#chains';
import type { Silent } from '../nodes/silent.ts';
import { ancestorsOf } from './ancestors.ts';
import { createListed, type Listed } from './witnesses.ts';

/** How many of these nodes, which have it, may each count on it by what they have themselves. */
export type Vouches = (nodes: readonly ChainNode[], txid: string) => Promise<number>;

const vouchesFor = async (node: ChainNode, txid: string, listed: Listed): Promise<boolean> => {
  const mempool = await listed(node);
  let isWhole = true;
  const waiting = async (txids: readonly string[]) => {
    const wanted = txids.filter((each) => mempool.has(each));
    const there = await node.transactions(wanted);
    isWhole &&= there.length === wanted.length;
    return there;
  };
  const [own] = await waiting([txid]);
  if (!own) return false;
  const ancestors = await ancestorsOf(own, waiting);
  if (!isWhole || [own, ...ancestors].some(({ replaceable }) => replaceable)) return false;
  return (await node.doubt(own)) === undefined && (await node.mayComeNext?.(txid)) !== false;
};

/** A node that hangs may do so with whatever it is asked; one that refuses this has its word on the rest. */
const cannotSay = (error: unknown): boolean => error instanceof NodeRefused || error instanceof AnswerTooLarge;

/**
 * The one that is read may leave out what speaks against a payment: what its sender has to send first, a parent that may be
 * replaced, what is hidden. So others that have it have to say of themselves what that one says.
 */
export const createVouching = (silent: Silent): Vouches => {
  const listed = createListed();
  return async (nodes, txid) => {
    const answers = await Promise.all(
      nodes.map((node) => silent.ask(node, (each) => unless(cannotSay, vouchesFor(each, txid, listed)))),
    );
    return answers.filter((each) => each === true).length;
  };
};
