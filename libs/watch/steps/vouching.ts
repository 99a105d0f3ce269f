import { AnswerTooLarge, type ChainNode, NodeRefused, unless } from '#chains';
import { createSilent } from '../nodes/silent.ts';
import { createUnvouched } from '../nodes/unvouched.ts';
import { timeOf, type WatchParts } from '../parts.ts';
import { waitingAncestors } from './leaning-on.ts';
import { createPoolReads } from './pool-reads.ts';
import type { Listed } from './witnesses.ts';

/** How many of these nodes, which have it, may each count on it by what they have themselves. */
export type Vouches = (nodes: readonly ChainNode[], txid: string) => Promise<number>;

const vouchesFor = async (node: ChainNode, txid: string, listed: Listed): Promise<boolean> => {
  const mempool = await listed(node);
  const [own] = mempool.has(txid) ? await node.transactions([txid]) : [];
  if (!own) return false;
  const { those, ended } = await waitingAncestors(node, own, { listed: mempool });
  if (ended !== 'whole' || [own, ...those].some(({ replaceable }) => replaceable)) return false;
  return (await node.doubt(own)) === undefined && (await node.mayComeNext?.(txid)) !== false;
};

/** A node that hangs may do so with whatever it is asked; one that refuses this has its word on the rest. */
const cannotSay = (error: unknown): boolean => error instanceof NodeRefused || error instanceof AnswerTooLarge;

/**
 * The one that is read may leave out what speaks against a payment: what its sender has to send first, a parent that may be
 * replaced, what is hidden. So others that have it have to say of themselves what that one says. All that waits is asked for
 * that, since of Ethereum anybody's transaction may lend a sender code; who is slow to tell it agrees on blocks all the same.
 */
export const createVouching = (parts: WatchParts) => {
  const reads = createPoolReads(() => timeOf(parts).getTime());
  const noteUnvouched = createUnvouched(parts);
  return (): Vouches => {
    const [listed, silent] = [reads(), createSilent()];
    return async (nodes, txid) => {
      const answers = await Promise.all(
        nodes.map((node) => silent.ask(node, (each) => unless(cannotSay, vouchesFor(each, txid, listed)))),
      );
      noteUnvouched(
        nodes,
        nodes.filter((_, nth) => answers[nth] === undefined),
      );
      return answers.filter((each) => each === true).length;
    };
  };
};
