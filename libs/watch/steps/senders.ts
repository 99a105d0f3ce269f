import type { ChainNode, ChainTransaction, Sender } from '#chains';
import type { Turn } from '../parts.ts';
import { neededBeside, sendersBeside } from './partly-proven.ts';
import type { Found, Senders } from './record.ts';
import { areAlike, askForProof, askInWords, hangs, isWhole, isWord, type Problem, type Word } from './said-senders.ts';
import { type Asking, isGivenUp, noteAnswers, SendersAwaited } from './untold.ts';
import { neededForGood } from './witnesses.ts';

type Wanted = {
  readonly transaction: ChainTransaction;
  readonly blockHash: string | undefined;
  /** So many have to say the same. */
  readonly needed: number;
};

/** The same transaction has the same ones everywhere, and where they cannot be proven one node could make them up. */
const askAll = async (turn: Turn, { transaction, blockHash, needed }: Wanted) => {
  const answers: (Word | Problem)[] = [];
  const all = [turn.node, ...turn.others];
  const isLast = (node: ChainNode): boolean => hangs(turn, node);
  let proven: readonly Sender[] | undefined;
  const beside = (agreed: readonly Sender[] | undefined): readonly Sender[] | undefined =>
    proven ? sendersBeside(turn, transaction, { proven, agreed, words: answers.filter(isWord) }) : agreed;
  // Not every payment waits for one that hangs while another tells.
  for (const node of [...all.filter((each) => !isLast(each)), ...all.filter(isLast)]) {
    proven ??= await askForProof(turn, node, [transaction, blockHash]);
    // To a script that has no address here nodes may give one.
    if (proven?.every((each) => each !== undefined)) return { agreed: proven, answers };
    const answer = await askInWords(turn, node, [transaction, blockHash]);
    answers.push(answer);
    if (!(isWord(answer) && isWhole(answer))) continue;
    const alike = answers.filter(isWord).filter((each) => areAlike(each, answer));
    const [first] = alike;
    if (first && alike.length >= neededBeside(proven, needed)) return { agreed: beside(first.senders), answers };
  }
  return { agreed: beside(undefined), answers };
};

const tellUnagreed = ({ chain, logger }: Turn, { txid }: ChainTransaction, whole: readonly Word[]): void => {
  const [first] = whole;
  if (!first) return;
  const facts = { chain: chain.coin, txid, nodes: whole.map(({ node }) => node.name) };
  if (whole.every((each) => areAlike(each, first)))
    logger.error(
      { alert: 'chain_senders_unvouched', ...facts },
      'fewer nodes than have to agree tell where a payment comes from: it goes to review',
    );
  else
    logger.error(
      { alert: 'chain_senders_differ', ...facts },
      'nodes differ in where a payment comes from: all that they say is told, and it goes to review',
    );
};

/**
 * By its own bytes or calls, as it was read: every node is handed that, and says it again. Not where it is not known whose
 * number it takes.
 */
const saysItself = ({ inputs, senders, isPegOut }: ChainTransaction): boolean =>
  isPegOut || (inputs.length > 0 && senders.length > 0);

/** From whichever node proves them, else from as many as have to agree; what fewer say is told, and goes to review. */
export const sendersOf = async (turn: Turn, transaction: ChainTransaction, asking: Asking): Promise<Senders> => {
  const { blockHash } = asking;
  const needed = saysItself(transaction) ? 1 : neededForGood(turn);
  const { agreed, answers } = await askAll(turn, { transaction, blockHash, needed });
  const words = answers.filter(isWord);
  if (needed > 1) noteAnswers(asking, answers);
  if (agreed) return agreed;
  const whole = words.filter(isWhole);
  const mayAgree = whole.length > 0 && (words.length < answers.length || words.length < needed);
  if ((words.length === 0 || mayAgree) && !isGivenUp(turn, words, { transaction, asking })) {
    const tell = mayAgree ? 'fewer nodes than have to agree tell' : 'no node tells';
    const problems = answers.flatMap((answer) => (isWord(answer) ? [] : answer.problem)).join('; ');
    throw new SendersAwaited(
      [`${tell} where ${transaction.txid} comes from`, problems].filter(Boolean).join(': '),
      true,
    );
  }
  if (words.length === 0) return undefined;
  tellUnagreed(turn, transaction, whole);
  const most = words.toSorted((one, other) => other.senders.length - one.senders.length);
  const told: readonly Sender[] = (needed > 1 ? words : most.slice(0, 1)).flatMap(({ senders }) => senders);
  return [...new Set([...told, undefined])];
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
