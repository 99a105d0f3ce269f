import type { Ticker } from '#money';
import type { Queryable } from '#platform/postgres';
import { tellFirst } from './rows/outbox.ts';
import type { RawSignal } from './signals.ts';

/** The chain that knows a payment of these to whom they are about; a transaction may be in two that were one once. */
const chainOf = async (db: Queryable, signals: readonly RawSignal[]): Promise<Ticker | undefined> => {
  const [{ deposit_id = null, transaction_id = null } = {}] = signals;
  const txids = [...new Set(signals.flatMap(({ txid }) => (typeof txid === 'string' ? [txid] : [])))];
  const { rows } = await db.query<{ chain: Ticker }>(
    `SELECT chain FROM chain_tips t WHERE EXISTS (
       SELECT FROM chain_payments p WHERE p.chain = t.chain AND p.txid = ANY ($1::text[])
         AND (p.deposit_id = $2::bigint OR p.transaction_id = $3::bigint))`,
    [txids, deposit_id, transaction_id],
  );
  return rows[0]?.chain;
};

/**
 * What was told of one deposit, or older transaction, is told as it was, by the same ids: whoever knows one of them says
 * so, and whoever lost what came of it takes it again. Before all that is told of the same one since.
 */
export const tellAsBefore = async (db: Queryable, signals: readonly RawSignal[]): Promise<void> => {
  const chain = await chainOf(db, signals);
  if (chain !== undefined) await tellFirst(db, chain, signals);
};
