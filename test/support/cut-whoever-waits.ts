import { setTimeout as delay } from 'node:timers/promises';
import type { Queryable } from '#platform/postgres';

const CUT = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** Ends the connection of a statement that waits for a lock, as soon as there is one: within the question, unanswered. */
export const cutWhoeverWaits = async (db: Queryable): Promise<void> => {
  while (((await db.query(CUT)).rowCount ?? 0) === 0) await delay(10);
};
