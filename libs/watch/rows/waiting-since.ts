import type { Ticker } from '#money';
import type { Queryable } from '#platform/postgres';

/** As long as nodes keep what waits, as a rule. */
const KEPT = '14 days';

/** Whoever watched them first; what is kept longer than anything waits is forgotten. */
export const keepSinceIn =
  (table: 'chain_waiting_rivals' | 'chain_untold') =>
  async (db: Queryable, chain: Ticker, txids: readonly string[], now: Date): Promise<void> => {
    if (txids.length === 0) return;
    await db.query(
      `WITH gone AS (DELETE FROM ${table} WHERE chain = $1 AND since < $3::timestamptz - interval '${KEPT}')
       INSERT INTO ${table} (chain, txid, since) SELECT $1, txid, $3 FROM unnest($2::text[]) AS t (txid)
       ON CONFLICT DO NOTHING`,
      [chain, txids, now],
    );
  };

const BOTH = `SELECT chain, txid, since FROM chain_waiting_rivals UNION ALL SELECT chain, txid, since FROM chain_untold`;

/** Since when those of these wait that nothing was told of at once. */
export const waitingSince = async (
  db: Queryable,
  chain: Ticker,
  txids: readonly string[],
): Promise<ReadonlyMap<string, Date>> => {
  if (txids.length === 0) return new Map();
  const { rows } = await db.query<{ txid: string; since: Date }>(
    `SELECT txid, min(since) AS since FROM (${BOTH}) AS waiting
     WHERE chain = $1 AND txid = ANY ($2::text[]) GROUP BY txid`,
    [chain, txids],
  );
  return new Map(rows.map(({ txid, since }) => [txid, since]));
};
