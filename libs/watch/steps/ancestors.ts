import type { ChainTransaction } from '#chains';
import type { Dependence } from '../rows/inputs.ts';

/** Most nodes let 25 wait in a chain, or 64 in a cluster. Over blocks that were given up, or in Bitcoin Cash, there may be more. */
const MOST = 500;

/** Each may be 400 kB, twice that as a text. */
export const AT_ONCE = 25;

type Spending = Pick<ChainTransaction, 'inputs'>;

export type Spender = Spending & Pick<ChainTransaction, 'txid' | 'usedUp'>;

/** What its coins come out of: transactions, of Ethereum the account. */
export const parentsOf = ({ inputs }: Spending): readonly string[] =>
  inputs.map((outpoint) => outpoint.slice(0, outpoint.lastIndexOf(':')));

/** Why no more of them is read. */
export type Stopped = 'too many' | 'slow' | 'left';

/** What may still be undone. */
export type Unsettled<T> = {
  readonly has: (txid: string) => boolean;
  readonly read: (txids: readonly string[]) => Promise<readonly T[] | Stopped>;
};

export type Ancestry<T> = { readonly those: readonly T[]; readonly ended: 'whole' | Stopped };

/** Those of its ancestors that may still be undone. One transaction may name thousands at once. */
export const ancestorsOf = async <T extends Spender>(
  transaction: Spending,
  { has, read }: Unsettled<T>,
): Promise<Ancestry<T>> => {
  const found = new Map<string, T>();
  const known = new Set<string>();
  const open: string[] = [];
  const addParentsOf = (spending: Spending): void => {
    for (const txid of parentsOf(spending)) {
      if (known.has(txid) || !has(txid)) continue;
      known.add(txid);
      open.push(txid);
    }
  };
  addParentsOf(transaction);
  while (open.length > 0) {
    const some = open.splice(0, Math.min(AT_ONCE, MOST - found.size));
    const parents = some.length > 0 ? await read(some) : 'too many';
    if (typeof parents === 'string') return { those: [...found.values()], ended: parents };
    for (const parent of parents) {
      found.set(parent.txid, parent);
      addParentsOf(parent);
    }
  }
  return { those: [...found.values()], ended: 'whole' };
};

/** What whoever spends it takes away from a payment: its own coins, and those of each transaction that it leans on. */
export const dependencesOf = (transactions: readonly Spender[]): readonly Dependence[] =>
  transactions.flatMap(({ txid, inputs }) => inputs.map((outpoint) => ({ outpoint, via: txid })));
