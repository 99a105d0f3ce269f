import type pg from 'pg';
import type { EventLog } from '#event-log';
import { projections } from '#ground';
import { silentLogger } from '#platform/logging';
import { startProjections, stopWaiting, waitForPosition } from '#read-models';
import { fillLog } from '../lib/fill-log.ts';

/** Accepted and settled deposits, with the rows that follow from them. */
type Parts = { readonly url: string; readonly log: EventLog; readonly pool: pg.Pool };

export const fill = async ({ url, log, pool }: Parts, deposits: number): Promise<void> => {
  await fillLog(url, deposits);
  const running = startProjections({ projections, log, pool, logger: silentLogger });
  const position = await log.head();
  for (const { projection } of projections)
    while (position !== undefined && !(await waitForPosition({ ...projection, pool, position, withinMs: 10_000 })));
  await running.stop();
  await stopWaiting(pool);
  await pool.query('VACUUM ANALYZE');
};
