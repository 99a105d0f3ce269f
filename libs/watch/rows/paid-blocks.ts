import type { Ticker } from '#money';
import type { Queryable } from '#platform/postgres';
import type { KeptBlock } from './tip.ts';

/** The blocks of the highest payments that are no higher: one, unless nodes contradicted each other there. */
export const paidBlocksUpTo = async (db: Queryable, chain: Ticker, height: number): Promise<readonly KeptBlock[]> =>
  (
    await db.query<KeptBlock>(
      `SELECT DISTINCT block_hash AS hash, block_height AS height FROM chain_payments WHERE chain = $1 AND block_height =
         (SELECT max(block_height) FROM chain_payments WHERE chain = $1 AND block_height <= $2)`,
      [chain, height],
    )
  ).rows;
