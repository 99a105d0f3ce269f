import type pg from 'pg';
import { pause } from '../pause/index.ts';
import type { Queryable } from './transaction.ts';

/** What of `pg_stat_activity` nobody but our own role may end, save for the connection that asks. */
export const OUR_OTHERS = 'datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()';

/** A statement that does nothing is a sign of life: the server notes when it came, and neither writes nor locks for it. */
const BEAT_EVERY_MS = 1_000;

const LOOK_EVERY_MS = 2_000;

/**
 * Eight seconds without a statement, and not one by the next look: a process that is busy with itself hears nothing for
 * a few seconds, and one that the whole server stood still with says something before it is looked at twice. While the
 * server works for a connection it is not silent, however long that takes.
 */
const LOOK = `
  WITH silent AS MATERIALIZED (
    SELECT pid, concat(pid, ' ', extract(epoch FROM state_change)) AS since FROM pg_stat_activity
    WHERE ${OUR_OTHERS} AND application_name = $1 AND state_change < clock_timestamp() - interval '8 seconds'
      AND (state <> 'active' OR wait_event_type = 'Client')
  )
  SELECT since, CASE WHEN since = ANY ($2) THEN pg_terminate_backend(pid, 1000) END FROM silent`;

type Row = { readonly since: string };

/**
 * A frozen process still holds its locks, since the kernel of its machine answers for it. Ends the connections of this
 * name that are silent, at most one look in two seconds; returns how many that were.
 */
export const createSilenceWatch = (db: Queryable, name: string): (() => Promise<number>) => {
  let suspects: readonly string[] = [];
  let nextLook = 0;
  return async () => {
    if (performance.now() < nextLook) return 0;
    nextLook = performance.now() + LOOK_EVERY_MS;
    const before = suspects;
    const { rows } = await db.query<Row>(LOOK, [name, before]);
    // One that takes its time to end is on its way out all the same; if not, it is looked at twice again.
    suspects = rows.map(({ since }) => since).filter((since) => !before.includes(since));
    return rows.length - suspects.length;
  };
};

/** Says over a connection that its process lives, until `over`. What ends the connection is told by the connection. */
export const keepBeating = async (client: pg.Client, over: AbortSignal): Promise<void> => {
  while (!over.aborted) {
    await client.query('SELECT').catch(() => undefined);
    await pause(BEAT_EVERY_MS, over);
  }
};
