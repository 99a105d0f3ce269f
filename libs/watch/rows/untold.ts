import type { Ticker } from '#money';
import type { Queryable } from '#platform/postgres';
import { keepSinceIn } from './waiting-since.ts';

/** Since when those wait that pay, before anything is told of them. */
export const keepUntold = keepSinceIn('chain_untold');

export const forgetUntold = async (db: Queryable, chain: Ticker, txids: readonly string[]): Promise<void> => {
  if (txids.length === 0) return;
  await db.query('DELETE FROM chain_untold WHERE chain = $1 AND txid = ANY ($2::text[])', [chain, txids]);
};
