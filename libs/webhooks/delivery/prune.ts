import type { Queryable } from '#platform/postgres';

const ROWS_AT_A_TIME = 1_000;

/** Lets go of the bodies of what was delivered long ago; the deliveries and their attempts stay. Returns how many. */
export const pruneBodies = async (db: Queryable, keepDays: number, signal?: AbortSignal): Promise<number> => {
  let pruned = 0;
  for (;;) {
    const { rowCount } = await db.query(
      `UPDATE webhook_deliveries SET body = NULL WHERE id IN (
         SELECT id FROM webhook_deliveries
         WHERE status = 'delivered' AND body IS NOT NULL AND done_at < now() - $1::float8 * interval '1 day'
         ORDER BY done_at LIMIT ${ROWS_AT_A_TIME} FOR UPDATE SKIP LOCKED)`,
      [keepDays],
    );
    pruned += rowCount ?? 0;
    if ((rowCount ?? 0) < ROWS_AT_A_TIME || signal?.aborted) return pruned;
  }
};
