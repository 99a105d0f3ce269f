import type { Turn } from '../parts.ts';
import { dependencesIn } from '../rows/inputs.ts';
import type { Payment } from '../rows/payments.ts';
import type { Witnesses, Word } from './witnesses.ts';

/** Of each transaction that waits once. */
export const wordsOf = async (
  { pool, chain }: Turn,
  waiting: readonly Payment[],
  witnesses: Witnesses,
): Promise<readonly Word[]> => {
  const words: Word[] = [];
  for (const [txid, paid] of Map.groupBy(waiting, (payment) => payment.txid))
    words.push(await witnesses(txid, await dependencesIn(pool, chain.coin, [txid]), paid));
  return words;
};

/** As many that show another sum by the same name leave nobody to go by. */
export const isOpen = ({ chain }: Turn, { having, contradicting, isBarred }: Word): boolean =>
  isBarred || 1 + having < chain.agree || contradicting > having;
