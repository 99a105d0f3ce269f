import type { ChainTransaction } from '#chains';
import type { Dependence } from '../rows/inputs.ts';

/** Policy lets no chain of unconfirmed transactions be longer than 25; over a few blocks that were given up it may be. */
const MOST = 500;

type Spending = Pick<ChainTransaction, 'inputs'>;

export type Spender = Spending & Pick<ChainTransaction, 'txid' | 'usedUp'>;

/** What its coins come out of: transactions, of Ethereum the account. */
export const parentsOf = ({ inputs }: Spending): readonly string[] =>
  inputs.map((outpoint) => outpoint.slice(0, outpoint.lastIndexOf(':')));

/** Those of its ancestors that may still be undone, as they are told of some by their ids. */
export const ancestorsOf = async <T extends Spender>(
  transaction: Spending,
  unsettled: (txids: readonly string[]) => Promise<readonly T[]>,
): Promise<readonly T[]> => {
  const found = new Map<string, T>();
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
export const dependencesOf = (transactions: readonly Spender[]): readonly Dependence[] =>
  transactions.flatMap(({ txid, inputs }) => inputs.map((outpoint) => ({ outpoint, via: txid })));
