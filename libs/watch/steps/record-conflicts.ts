import type { Queryable } from '#platform/postgres';
import type { WatchedChain } from '../chain.ts';
import type { Conflict } from '../rows/inputs.ts';
import { tell } from '../rows/outbox.ts';
import { paymentsOf, replacePayments } from '../rows/payments.ts';
import { doubleSpent } from '../signals.ts';
import { drop } from './drop.ts';

/**
 * Of a coin with an extension every block moves what is in it on, by a transaction that another branch has another of: who
 * is paid out of it has lost nothing to a thief, and the payment comes once more under another name.
 */
const dropMovedOn = async (db: Queryable, chain: WatchedChain, txid: string, at: Date): Promise<void> => {
  const payments = await paymentsOf(db, chain.coin, [txid]);
  const ids = payments.map(({ id }) => id);
  await drop(db, chain.coin, ids, at);
};

/** Never without the transaction that took its place. */
export const recordConflicts = async (
  db: Queryable,
  chain: WatchedChain,
  conflicts: readonly Conflict[],
  at: Date,
): Promise<void> => {
  for (const { txid, by, isByPegOut } of conflicts) {
    if (isByPegOut) {
      await dropMovedOn(db, chain, txid, at);
      continue;
    }
    const replaced = await replacePayments(db, chain.coin, txid, by);
    const told = replaced.filter(({ isDust }) => !isDust);
    await tell(
      db,
      chain.coin,
      told.map((payment) => doubleSpent(payment, at, by)),
    );
  }
};
