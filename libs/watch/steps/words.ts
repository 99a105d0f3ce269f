import type { Turn } from '../parts.ts';
import { dependencesIn } from '../rows/inputs.ts';
import type { Payment } from '../rows/payments.ts';
import type { Vouches } from './vouching.ts';
import type { Witnesses, Word } from './witnesses.ts';

type WordOn = Word & { readonly txid: string };

/** Of each transaction that waits once. */
export const wordsOf = async (
  { pool, chain }: Turn,
  waiting: readonly Payment[],
  witnesses: Witnesses,
): Promise<readonly WordOn[]> => {
  const words: WordOn[] = [];
  for (const [txid, paid] of Map.groupBy(waiting, (payment) => payment.txid))
    words.push({ txid, ...(await witnesses(txid, await dependencesIn(pool, chain.coin, [txid]), paid)) });
  return words;
};

/** As many that show another sum by the same name leave nobody to go by. */
const isOpen = ({ chain }: Turn, { having, contradicting, isBarred }: Word): boolean =>
  isBarred || 1 + having.length < chain.agree || contradicting > having.length;

/** As many as have to agree, the one that is read among them, have all of it, and each may count on it. */
export const areBorneOut = async (turn: Turn, words: readonly WordOn[], vouches: Vouches): Promise<boolean> => {
  const { agree } = turn.chain;
  if (words.some((word) => isOpen(turn, word))) return false;
  if (agree <= 1) return true;
  for (const { txid, having } of words) if (1 + (await vouches(having, txid)) < agree) return false;
  return true;
};
