import type { Ticker } from '#money';
import type { Queryable } from '#platform/postgres';

export type Rescan = { readonly id: number; readonly nextHeight: number; readonly toHeight: number };

export const askRescan = async (
  db: Queryable,
  { chain, from, to }: { readonly chain: Ticker; readonly from: number; readonly to: number },
): Promise<number> => {
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO chain_rescans (chain, from_height, to_height, next_height) VALUES ($1, $2, $3, $2) RETURNING id`,
    [chain, from, to],
  );
  return rows[0]?.id ?? 0;
};

export const openRescan = async (db: Queryable, chain: Ticker): Promise<Rescan | undefined> =>
  (
    await db.query<Rescan>(
      `SELECT id, next_height AS "nextHeight", to_height AS "toHeight" FROM chain_rescans
       WHERE chain = $1 AND done_at IS NULL ORDER BY id LIMIT 1`,
      [chain],
    )
  ).rows[0];

export const moveRescan = async (db: Queryable, id: number, next: number, found: number): Promise<void> => {
  await db.query(
    `UPDATE chain_rescans SET next_height = $2, found = found + $3,
       done_at = CASE WHEN $2 > to_height THEN now() END WHERE id = $1`,
    [id, next, found],
  );
};

export const moveAudit = async (db: Queryable, chain: Ticker, height: number): Promise<void> => {
  await db.query('UPDATE chain_tips SET audited_height = $2 WHERE chain = $1', [chain, height]);
};
