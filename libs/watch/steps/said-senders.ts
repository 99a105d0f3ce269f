import { canonicalAddress } from '#addresses';
import { type ChainNode, isOfNode, NodeUnreachable, type Sender } from '#chains';
import { withinTime } from '#platform/pause';
import { reasonOf } from '#platform/reason';
import type { Turn } from '../parts.ts';

/** What takes longer to prove is asked of a node in its words. */
const PROOF_MS = 5_000;

type Asked = Parameters<ChainNode['sendersOf']>;

/** Where a payment comes from, as a node says it: nothing covers that. */
export type Word = { readonly node: ChainNode; readonly senders: readonly Sender[] };

export type Problem = { readonly node: ChainNode; readonly problem: string };

export const isWord = (answer: Word | Problem): answer is Word => 'senders' in answer;

/** Of a coin that names nobody none tells more; of one that a node has not got, another may. */
export const isWhole = ({ senders }: Word): boolean => !senders.includes(undefined);

const spell = (sender: Sender): string => canonicalAddress(sender ?? '');

const spelled = ({ senders }: Word): string => String(senders.map(spell).toSorted());

export const areAlike = (one: Word, other: Word): boolean => spelled(one) === spelled(other);

/** Whatever more it is. */
export const namesAll = (said: readonly Sender[], proven: readonly Sender[]): boolean => {
  const names = new Set(said.map(spell));
  return proven.every((each) => each === undefined || names.has(spell(each)));
};

export const hangs = ({ silent, mute }: Turn, node: ChainNode): boolean => silent.has(node) || mute.has(node);

export const askInWords = async (turn: Turn, node: ChainNode, asked: Asked): Promise<Word | Problem> => {
  try {
    return { node, senders: await node.sendersOf(...asked) };
  } catch (error) {
    if (!isOfNode(error)) throw error;
    if (error instanceof NodeUnreachable) turn.mute.add(node);
    return { node, problem: `${node.name}: ${reasonOf(error)}` };
  }
};

/** Where one node is believed alone its words are as good. */
export const askForProof = async (
  turn: Turn,
  node: ChainNode,
  asked: Asked,
): Promise<readonly Sender[] | undefined> => {
  const { chain, mute } = turn;
  if (chain.agree <= 1 || !node.provenSendersOf || hangs(turn, node)) return undefined;
  try {
    return await withinTime(node.provenSendersOf(...asked), PROOF_MS);
  } catch {
    // Whatever keeps it from that, it may say it in its words all the same.
    mute.add(node);
    return undefined;
  }
};
