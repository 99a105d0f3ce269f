import type { Pool } from 'pg';
import { unknownTopic } from '../errors.ts';

export type Topics = {
  readonly ensure: (topic: string, partitions: number) => Promise<void>;
  readonly partitionsOf: (topic: string) => Promise<number>;
};

/** Both rows or none; whoever comes second finds the first one's partitions and adds nothing. */
const ENSURE = `
  WITH made AS (
    INSERT INTO bus_topics (topic, partitions) VALUES ($1, $2) ON CONFLICT (topic) DO NOTHING RETURNING topic, partitions
  )
  INSERT INTO bus_partitions (topic, partition)
  SELECT made.topic, place FROM made, generate_series(0, made.partitions - 1) AS place`;

export const createTopics = (pool: Pool): Topics => {
  /** Never stale: a topic keeps its partitions. */
  const known = new Map<string, number>();
  return {
    ensure: async (topic, partitions) => {
      await pool.query(ENSURE, [topic, partitions]);
    },
    partitionsOf: async (topic) => {
      const remembered = known.get(topic);
      if (remembered !== undefined) return remembered;
      const { rows } = await pool.query<{ partitions: number }>('SELECT partitions FROM bus_topics WHERE topic = $1', [
        topic,
      ]);
      const [found] = rows;
      if (!found) throw unknownTopic(topic);
      known.set(topic, found.partitions);
      return found.partitions;
    },
  };
};
