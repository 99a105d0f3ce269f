import type { Queryable } from '#platform/postgres';

/** Whether any row follows from an event, whichever projection took it. */
export const hasProjected = async (db: Queryable): Promise<boolean> =>
  (await db.query('SELECT FROM projection_checkpoints WHERE events > 0 LIMIT 1')).rowCount === 1;

/**
 * All projections stand at the beginning, whatever log comes next. Only where none has taken an event, and none runs: rows
 * would stay.
 */
export const beginAnew = async (db: Queryable): Promise<void> => {
  await db.query(
    `UPDATE projection_checkpoints
     SET position = NULL, last_event = NULL, behind_last = false, state = 'running', failure = NULL
     WHERE state <> 'retired'`,
  );
  await db.query(
    `UPDATE projection_rebuilds SET state = 'requested', position = NULL, held = false
     WHERE state = 'filling' AND mode <> 'cancel'`,
  );
  await db.query('DELETE FROM projection_checks');
  await db.query('DELETE FROM projection_damage');
};
