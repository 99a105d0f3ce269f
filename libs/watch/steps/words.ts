import type { Turn } from '../parts.ts';
import { dependencesIn } from '../rows/inputs.ts';
import type { Payment } from '../rows/payments.ts';
import { isSent } from './matches.ts';
import type { Vouches } from './vouching.ts';
import { fromThese, paysSo, type Witnesses, type Word } from './witnesses.ts';

type WordOn = Word & {
  readonly txid: string;
  /** What the node that is read says of it, which another one may have told; undefined where it does not say. */
  readonly own: boolean | undefined;
  /** Whether its transaction says all of it by itself, and it is known of whom it is the next. */
  readonly isWhole: boolean;
};

/** Where a name proves what it pays nobody is asked. */
const ownWord = async ({ node, silent }: Turn, txid: string, paid: readonly Payment[]): Promise<boolean | undefined> =>
  node.saysOf ? silent.ask(node, (each) => paysSo(each, txid, paid)) : true;

/** Of each transaction that waits once. */
export const wordsOf = async (
  turn: Turn,
  waiting: readonly Payment[],
  witnesses: Witnesses,
): Promise<readonly WordOn[]> => {
  const { pool, chain } = turn;
  const words: WordOn[] = [];
  for (const [txid, paid] of Map.groupBy(waiting, (payment) => payment.txid)) {
    const dependences = await dependencesIn(pool, chain.coin, [txid]);
    const told = chain.agree > 1 ? fromThese(txid, dependences, paid) : paid;
    const word = await witnesses(txid, dependences, told);
    const isKnown = chain.agree <= 1 || dependences.length > 0 || !turn.node.saysOf;
    words.push({ txid, ...word, own: await ownWord(turn, txid, told), isWhole: isKnown && paid.every(isSent) });
  }
  return words;
};

/** Of the node that is read, among those that say so or otherwise. */
const countOf = ({ own }: Pick<WordOn, 'own'>, wanted: boolean): number => (own === wanted ? 1 : 0);

/**
 * As many that show another sum by the same name leave nobody to go by. What a contract passed on in a block that was given
 * up it may not pass on in another, and nobody can say before.
 */
const isOpen = ({ chain }: Turn, word: WordOn): boolean => {
  const bearing = countOf(word, true) + word.having.length;
  const contradicting = countOf(word, false) + word.contradicting;
  return !word.isWhole || word.isBarred || bearing < chain.agree || contradicting >= bearing;
};

/** As many as have to agree have all of it, and each may count on it; the node that is read was asked that before. */
export const areBorneOut = async (turn: Turn, words: readonly WordOn[], vouches: Vouches): Promise<boolean> => {
  const { agree } = turn.chain;
  if (words.some((word) => isOpen(turn, word))) return false;
  if (agree <= 1) return true;
  for (const word of words) if (countOf(word, true) + (await vouches(word.having, word.txid)) < agree) return false;
  return true;
};
