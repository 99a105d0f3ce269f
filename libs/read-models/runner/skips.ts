import type { Queryable } from '#platform/postgres';

/** Ids of the events that a projection passes over. Read when its work begins: a stopped one begins anew. */
export const readSkips = async (db: Queryable, name: string): Promise<ReadonlySet<string>> => {
  const { rows } = await db.query<{ event_id: string }>('SELECT event_id FROM projection_skips WHERE name = $1', [
    name,
  ]);
  return new Set(rows.map(({ event_id }) => event_id));
};

export type Skip = { readonly eventId: string; readonly reason: string };

export type Skipped = 'skipped' | 'not_stopped' | 'not_skippable';

/**
 * Lets a projection that stands before this very event go on behind it. What the log itself cannot read has no event,
 * or stops it there again: that cannot be passed over.
 */
export const skipEvent = async (db: Queryable, name: string, { eventId, reason }: Skip): Promise<Skipped> => {
  const { rows } = await db.query<{ event: string | null }>(
    `SELECT failure -> 'event' ->> 'id' AS event FROM projection_checkpoints
     WHERE name = $1 AND state = 'stopped' FOR UPDATE`,
    [name],
  );
  const [stopped] = rows;
  if (stopped === undefined || (stopped.event !== null && stopped.event !== eventId)) return 'not_stopped';
  if (stopped.event === null) return 'not_skippable';
  const { rowCount } = await db.query(
    'INSERT INTO projection_skips (name, event_id, reason) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [name, eventId, reason],
  );
  if (rowCount !== 1) return 'not_skippable';
  await db.query(
    `UPDATE projection_checkpoints SET state = 'running', failure = NULL, updated_at = now()
     WHERE name = $1 AND state = 'stopped'`,
    [name],
  );
  return 'skipped';
};
