import type { Pool } from 'pg';

/** Small, so that no removal holds its snapshot or its locks for long. */
const ROWS_AT_ONCE = 1_000;

/** The oldest of a partition that every known group has committed; without a group, nobody has. */
const PRUNE = `
  WITH oldest AS (
    SELECT m."offset" FROM bus_messages m
    WHERE m.topic = $1 AND m.partition = $2
      AND m."offset" < (SELECT min(o.committed) FROM bus_offsets o WHERE o.topic = $1 AND o.partition = $2)
    ORDER BY m."offset" LIMIT ${ROWS_AT_ONCE}
  )
  DELETE FROM bus_messages m USING oldest
  WHERE m.topic = $1 AND m.partition = $2 AND m."offset" = oldest."offset"
    AND m.published_at < now() - make_interval(secs => $3)`;

const prunePartition = async (pool: Pool, topic: string, partition: number, keepMs: number): Promise<number> => {
  let removed = 0;
  for (;;) {
    const { rowCount } = await pool.query(PRUNE, [topic, partition, keepMs / 1000]);
    removed += rowCount ?? 0;
    if ((rowCount ?? 0) < ROWS_AT_ONCE) return removed;
  }
};

/** Removes what every known group has committed and is older than that; returns how many messages went. */
export const pruneMessages = async (pool: Pool, keepMs: number): Promise<number> => {
  const { rows } = await pool.query<{ topic: string; partition: number }>(
    'SELECT topic, partition FROM bus_partitions',
  );
  let removed = 0;
  for (const { topic, partition } of rows) removed += await prunePartition(pool, topic, partition, keepMs);
  return removed;
};
