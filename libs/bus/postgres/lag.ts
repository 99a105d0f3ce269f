import type { Pool } from 'pg';

/** What was removed before a group came counts as seen. */
const LAG = `
  SELECT sum(p.next_offset - greatest(coalesce(o.committed, 0), coalesce(oldest."offset", p.next_offset)))::text AS lag
  FROM bus_partitions p
  LEFT JOIN bus_offsets o ON o.topic = p.topic AND o.partition = p.partition AND o.group_name = $2
  LEFT JOIN LATERAL (
    SELECT "offset" FROM bus_messages m WHERE m.topic = p.topic AND m.partition = p.partition ORDER BY "offset" LIMIT 1
  ) AS oldest ON true
  WHERE p.topic = $1`;

export const readLag = async (pool: Pool, topic: string, group: string): Promise<number> => {
  const { rows } = await pool.query<{ lag: string | null }>(LAG, [topic, group]);
  return Number(rows[0]?.lag ?? 0);
};
