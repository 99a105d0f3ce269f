import type { ChainNode } from '#chains';
import type { Look } from '../nodes/look.ts';
import type { Turn } from '../parts.ts';
import { hasOnceTaken, type Sending, type Taken } from './give.ts';
import { offering } from './offers.ts';
import { isWaitingAt, neededIn } from './witnesses.ts';

/**
 * What comes of one that left the mempool of the node that is read, as it is sent to all of them. Who is not well is sent it
 * and not believed, but for the one that is read, also where its newest block is old: the chain may be late, not the node.
 * Who does not answer neither has nor refuses it. As many as have to agree keep it, whoever refuses it beside them: it may
 * be mined out of theirs.
 */
export const outcomeOf = async (
  turn: Turn,
  txid: string,
  sending: Sending | null,
): Promise<'taken' | 'refused' | 'open'> => {
  const { chain, looks, failing, silent, node: read } = turn;
  const isBelieved = ({ node, state }: Look): boolean =>
    (state === 'ok' || (state === 'stale' && node === read)) && !failing.has(node);
  const believed = looks.filter(isBelieved);
  const offers = offering(turn, txid);
  // What no node gave the bytes of cannot be sent: whoever has it has it still.
  const takesIt = async (node: ChainNode): Promise<Taken> =>
    sending ? hasOnceTaken(chain.coin, node, txid, await offers.give(node, sending)) : isWaitingAt(node, txid);
  const said = await Promise.all(chain.nodes.map((node) => silent.ask(node, takesIt)));
  offers.end();
  const counted = (wanted: boolean): number =>
    chain.nodes.filter((each, nth) => said[nth] === wanted && believed.some(({ node }) => node === each)).length;
  const needed = neededIn(turn);
  if (counted(true) >= needed) return 'taken';
  return counted(false) >= needed ? 'refused' : 'open';
};
