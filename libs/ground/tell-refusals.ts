import type pg from 'pg';
import type { Health } from '#platform/health';
import type { Logger } from '#platform/logging';
import { codeOf, isReadOnly, isRefused } from '#platform/postgres';
import { reasonOf } from '#platform/reason';

/** Whether a disk is full no question tells, only what is refused: heartbeats and deliveries are written all the time. */
const CALM_AFTER_MS = 60_000;

const WHY: Readonly<Record<string, string>> = { '53100': 'its disk is full', '53200': 'its memory is used up' };

type Parts = { readonly health: Health; readonly logger: Logger; readonly calmAfterMs?: number };

/**
 * A database that takes no writes for want of something is an alarm with every answer about readiness, until nothing was
 * refused for a minute. No instance is unready for it: all would go at once, and what partners read goes on.
 */
export const tellRefusals = (pool: pg.Pool, { health, logger, calmAfterMs = CALM_AFTER_MS }: Parts): void => {
  const calming = new Map<string, NodeJS.Timeout>();
  pool.on('release', (error) => {
    if (!isRefused(error) || isReadOnly(error)) return;
    const code = codeOf(error) ?? '';
    const alarm = `the database refuses writes: ${WHY[code] ?? `SQLSTATE ${code}`}`;
    if (health.alarm(alarm)) logger.error({ alert: 'database_refuses_writes', reason: reasonOf(error) }, alarm);
    const known = calming.get(alarm) ?? setTimeout(() => health.calm(alarm), calmAfterMs).unref();
    calming.set(alarm, known.refresh());
  });
};
