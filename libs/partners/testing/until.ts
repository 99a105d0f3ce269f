import { setTimeout as later } from 'node:timers/promises';
import type { Queryable } from '#platform/postgres';

/** How many seconds pass until `holds`; five at most. */
export const secondsUntil = async (holds: () => Promise<boolean>): Promise<number> => {
  const before = performance.now();
  while (!(await holds()) && performance.now() - before < 5_000) await later(5);
  return (performance.now() - before) / 1000;
};

const LISTENING = `
  SELECT 1 FROM pg_stat_activity
  WHERE application_name = 'cointill accounts listener' AND datname = current_database() AND state = 'idle'
    AND query LIKE 'LISTEN%'`;

/** Every instance forgets all it knows when it begins to listen: what is measured must begin after that. */
export const untilListening = async (db: Queryable, instances: number): Promise<void> => {
  await secondsUntil(async () => (await db.query(LISTENING)).rowCount === instances);
  await later(20);
};
