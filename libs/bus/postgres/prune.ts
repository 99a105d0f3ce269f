import type { Pool } from 'pg';
import { prune, ROWS_AT_ONCE } from '#platform/postgres';
import { reasonOf } from '#platform/reason';
import { type Repeated, repeat } from '#platform/repeat';
import type { BusLog } from '../log.ts';
import type { Retention } from './options.ts';

/**
 * The oldest of a partition that every known group has committed; without a group, nobody has. Up to a bound and not one by
 * one: without statistics, as behind a restore, a join of both would be planned as if there were one row of each.
 */
const PRUNE = `
  WITH oldest AS (
    SELECT m."offset" FROM bus_messages m
    WHERE m.topic = $1 AND m.partition = $2
      AND m."offset" < (SELECT min(o.committed) FROM bus_offsets o WHERE o.topic = $1 AND o.partition = $2)
    ORDER BY m."offset" LIMIT ${ROWS_AT_ONCE}
  )
  DELETE FROM bus_messages m
  WHERE m.topic = $1 AND m.partition = $2 AND m."offset" <= (SELECT max("offset") FROM oldest)
    AND m.published_at < now() - make_interval(secs => $3)`;

/** Removes what every known group has committed and is older than that; returns how many messages went. */
export const pruneMessages = async (pool: Pool, keepMs: number, stopping?: AbortSignal): Promise<number> => {
  const { rows } = await pool.query<{ topic: string; partition: number }>(
    'SELECT topic, partition FROM bus_partitions',
  );
  let removed = 0;
  for (const { topic, partition } of rows) {
    if (stopping?.aborted) break;
    removed += await prune(pool, PRUNE, [topic, partition, keepMs / 1000], stopping);
  }
  return removed;
};

/** Prunes now and then; several instances doing it at once only share the work. */
export const keepPruning = (pool: Pool, { keepMs, everyMs = 60_000 }: Retention, log: BusLog): Repeated =>
  repeat({
    work: async (stopping) => {
      const removed = await pruneMessages(pool, keepMs, stopping);
      if (removed > 0) log.info(`The bus removed ${removed} messages that every group has committed`);
      return false;
    },
    pollMs: everyMs,
    onError: (error) => log.warn(`The bus could not remove old messages: ${reasonOf(error)}`),
  });
