import type { Queryable } from '#platform/postgres';

/** What becomes of the new rows: they take the place of the live ones, are compared and dropped, or compared and kept. */
export const rebuildModes = ['switch', 'check', 'hold'] as const;

export type RebuildMode = (typeof rebuildModes)[number];

/** A held one goes on to take the place of the live rows: the one that was asked for then, where that is said. */
export const releaseHeld = async (
  db: Queryable,
  name: string,
  requestedAt?: string,
): Promise<'switching' | 'not_held'> => {
  const { rowCount } = await db.query(
    `UPDATE projection_rebuilds SET mode = 'switch', held = false, updated_at = now()
     WHERE name = $1 AND held AND state = 'filling'
       AND date_trunc('milliseconds', requested_at) = coalesce($2, date_trunc('milliseconds', requested_at))`,
    [name, requestedAt ?? null],
  );
  return rowCount === 1 ? 'switching' : 'not_held';
};

/** Whoever works at it, or comes next, drops its tables; one that has failed has none, and is forgotten. */
export const cancelRebuild = async (db: Queryable, name: string): Promise<'cancelling' | 'none'> => {
  const forgotten = await db.query(`DELETE FROM projection_rebuilds WHERE name = $1 AND state = 'failed'`, [name]);
  const { rowCount } = await db.query(
    `UPDATE projection_rebuilds SET mode = 'cancel', held = false, updated_at = now() WHERE name = $1`,
    [name],
  );
  return forgotten.rowCount === 1 || rowCount === 1 ? 'cancelling' : 'none';
};
