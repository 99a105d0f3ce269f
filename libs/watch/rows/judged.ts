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

/** What they lean on is unconfirmed again: what waits is judged anew, as its story begins anew. */
export const doubtAgain = async (db: Queryable, chain: Ticker, txids: readonly string[], now: Date): Promise<void> => {
  await db.query(
    `UPDATE chain_payments SET epoch = epoch + 1, is_judged = false, doubted_since = $3
     WHERE chain = $1 AND txid = ANY ($2::text[]) AND state = 'waiting' AND is_judged`,
    [chain, txids, now],
  );
};
