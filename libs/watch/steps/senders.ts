import { type ChainNode, type ChainTransaction, isOfNode, NodeUnreachable, type Sender } from '#chains';
import { reasonOf } from '#platform/reason';
import { ChainHeld, type Turn, timeOf } from '../parts.ts';
import type { Found, Senders } from './record.ts';

/** A node that fails for a moment sends no payment to review, and one that nobody tells the senders of holds no other up. */
const [PATIENCE_MS, TRIES] = [60_000, 3];

const REMEMBERED = 100;

/** Some node may tell them in a moment. */
export class SendersAwaited extends ChainHeld {}

const isGivenUp = (turn: Turn, key: string): boolean => {
  const { untold } = turn;
  const now = timeOf(turn).getTime();
  const { since, tries } = untold.get(key) ?? { since: now, tries: 0 };
  untold.set(key, { since, tries: tries + 1 });
  const [oldest] = untold.keys();
  if (untold.size > REMEMBERED && oldest !== undefined) untold.delete(oldest);
  return tries + 1 >= TRIES && now - since >= PATIENCE_MS;
};

type Problem = { readonly problem: string };

const askOne = async (turn: Turn, node: ChainNode, ...asked: Parameters<ChainNode['sendersOf']>) => {
  try {
    return await node.sendersOf(...asked);
  } catch (error) {
    if (!isOfNode(error)) throw error;
    if (error instanceof NodeUnreachable) turn.reticent.add(node);
    return { problem: `${node.name}: ${reasonOf(error)}` };
  }
};

const isTold = (answer: readonly Sender[] | Problem): answer is readonly Sender[] => !('problem' in answer);

/** From whichever node tells them: the same transaction has the same ones everywhere. */
export const sendersOf = async (turn: Turn, transaction: ChainTransaction, blockHash?: string): Promise<Senders> => {
  const answers: (readonly Sender[] | Problem)[] = [];
  const all = [turn.node, ...turn.others];
  const isLast = (node: ChainNode): boolean => turn.silent.has(node) || turn.reticent.has(node);
  // Not every payment waits for one that hangs while another tells.
  for (const node of [...all.filter((each) => !isLast(each)), ...all.filter(isLast)]) {
    const answer = await askOne(turn, node, transaction, blockHash);
    if (isTold(answer) && !answer.includes(undefined)) return answer;
    answers.push(answer);
  }
  // Of a coin that names nobody none tells more; of one that a node has not got, another may.
  const [most] = answers.filter(isTold).toSorted((one, other) => other.length - one.length);
  if (most) return most;
  if (isGivenUp(turn, blockHash ?? transaction.txid)) return undefined;
  const problems = answers.flatMap((answer) => (isTold(answer) ? [] : answer.problem));
  throw new SendersAwaited(`no node tells where ${transaction.txid} comes from: ${problems.join('; ')}`, true);
};

/** Once: what was recorded is asked about no more. */
export const tellUntold = ({ chain, logger }: Turn, found: readonly Found[]): void => {
  const untold = found.filter(({ senders }) => senders === undefined);
  const [first] = untold;
  if (!first) return;
  const { txid } = first.match.transaction;
  logger.error(
    { alert: 'chain_senders_unknown', chain: chain.coin, payments: untold.length, txid },
    'no node tells where a payment comes from: it goes to review',
  );
};
