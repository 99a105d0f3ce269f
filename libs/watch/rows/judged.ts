import type { Ticker } from '#money';
import type { Queryable } from '#platform/postgres';
import type { Payment } from './payments.ts';

/** True where all of them are as they were looked at: what has begun anew since is another matter. */
export const markJudged = async (db: Queryable, payments: readonly Payment[]): Promise<boolean> => {
  const marked = await db.query(
    `UPDATE chain_payments p SET is_judged = true, doubted_since = NULL
     FROM unnest($1::bigint[], $2::bigint[]) AS judged (id, epoch) WHERE p.id = judged.id AND p.epoch = judged.epoch`,
    [payments.map(({ id }) => id), payments.map(({ epoch }) => epoch)],
  );
  return marked.rowCount === payments.length;
};

/** What waits, and was judged by what may be so no more. */
export const judgedWaiting = async (db: Queryable, chain: Ticker): Promise<string[]> =>
  (
    await db.query<{ txid: string }>(
      `SELECT DISTINCT txid FROM chain_payments
       WHERE chain = $1 AND state = 'waiting' AND is_judged AND NOT is_dust AND deposit_id IS NOT NULL ORDER BY txid`,
      [chain],
    )
  ).rows.map(({ txid }) => txid);

/** What they lean on is unconfirmed again: what waits is judged anew, as its story begins anew. */
export const doubtAgain = async (db: Queryable, chain: Ticker, txids: readonly string[], now: Date): Promise<void> => {
  await db.query(
    `UPDATE chain_payments SET epoch = epoch + 1, is_judged = false, doubted_since = $3
     WHERE chain = $1 AND txid = ANY ($2::text[]) AND state = 'waiting' AND is_judged`,
    [chain, txids, now],
  );
};
