import type pg from 'pg';
import type { EventLog } from '#event-log';
import { projections } from '#ground';
import { silentLogger } from '#platform/logging';
import { startProjections, stopWaiting, waitForPosition } from '#read-models';
import { fillLog } from '../lib/fill-log.ts';

/** Accepted and settled deposits, with the rows that follow from them. */
export const fill = async ({ log, pool }: { log: EventLog; pool: pg.Pool }, deposits: number): Promise<void> => {
  await fillLog(log, deposits);
  const running = startProjections({ projections, log, pool, logger: silentLogger });
  const position = await log.head();
  for (const { projection } of projections)
    while (position !== undefined && !(await waitForPosition({ ...projection, pool, position, withinMs: 10_000 })));
  await running.stop();
  await stopWaiting(pool);
  await pool.query('VACUUM ANALYZE');
};
