import type { Ticker } from '#money';
import type { Queryable } from '#platform/postgres';

/** In a block, if they are in it still. */
export const markShown = async (db: Queryable, ids: readonly number[], hash: string): Promise<void> => {
  if (ids.length === 0) return;
  await db.query('UPDATE chain_payments SET shown_in = $2 WHERE id = ANY ($1::bigint[]) AND block_hash = $2', [
    ids,
    hash,
  ]);
};

/** Of all that a block pays. */
export const markAllShown = async (db: Queryable, chain: Ticker, hash: string): Promise<void> => {
  await db.query('UPDATE chain_payments SET shown_in = $2 WHERE chain = $1 AND block_hash = $2', [chain, hash]);
};

export const markReplaceable = async (db: Queryable, id: number): Promise<void> => {
  await db.query('UPDATE chain_payments SET replaceable = true WHERE id = $1', [id]);
};
