import type { ChainNode } from '#chains';
import type { Turn } from '../parts.ts';
import { isWaitingAt, neededIn } from './witnesses.ts';

/** What no node gave the bytes of cannot be sent: whoever has it has it still. */
const takesIt = async (node: ChainNode, txid: string, raw: string | null): Promise<boolean> =>
  raw === null ? isWaitingAt(node, txid) : (await node.submit(raw)).isIn;

/**
 * What comes of one that left the mempool of the node that is read, as it is sent to all of them. Who is not well is sent it
 * and not believed, but for one whose newest block is old: that says nothing of a mempool. Who does not answer neither has
 * nor refuses it. As many as have to agree keep it, whoever refuses it beside them: it may be mined out of theirs.
 */
export const outcomeOf = async (
  turn: Turn,
  txid: string,
  raw: string | null,
): Promise<'taken' | 'refused' | 'open'> => {
  const { chain, looks, failing, silent } = turn;
  const believed = looks.filter(({ node, state }) => (state === 'ok' || state === 'stale') && !failing.has(node));
  const said = await Promise.all(chain.nodes.map((node) => silent.ask(node, (each) => takesIt(each, txid, raw))));
  const counted = (wanted: boolean): number =>
    chain.nodes.filter((each, nth) => said[nth] === wanted && believed.some(({ node }) => node === each)).length;
  const needed = neededIn(turn);
  if (counted(true) >= needed) return 'taken';
  return counted(false) >= needed ? 'refused' : 'open';
};
