import type { ChainTransaction } from '#chains';
import type { Dependence } from '../rows/inputs.ts';

/** Policy lets no chain of unconfirmed transactions be longer. */
const MOST = 25;

const parentsOf = ({ inputs }: ChainTransaction): readonly string[] =>
  inputs.map((outpoint) => outpoint.slice(0, outpoint.lastIndexOf(':')));

/** Those of these that may still be undone. */
export type Unsettled = (txids: readonly string[]) => Promise<readonly ChainTransaction[]>;

export const ancestorsOf = async (
  transaction: ChainTransaction,
  unsettled: Unsettled,
): Promise<readonly ChainTransaction[]> => {
  const found = new Map<string, ChainTransaction>();
  let wanted = parentsOf(transaction);
  while (found.size < MOST) {
    const parents = await unsettled([...new Set(wanted)].filter((txid) => !found.has(txid)));
    if (parents.length === 0) break;
    for (const parent of parents) found.set(parent.txid, parent);
    wanted = parents.flatMap(parentsOf);
  }
  return [...found.values()];
};

/** What whoever spends it takes away from a payment: its own coins, and those of each transaction that it leans on. */
export const dependencesOf = (transactions: readonly ChainTransaction[]): readonly Dependence[] =>
  transactions.flatMap(({ txid, inputs }) => inputs.map((outpoint) => ({ outpoint, via: txid })));
