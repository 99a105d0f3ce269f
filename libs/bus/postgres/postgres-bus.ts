import { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
import { createNotifier, HeardPool } from '#platform/postgres';
import { reasonOf } from '#platform/reason';
import { busOn } from '../bus-on.ts';
import { unknownTopic } from '../errors.ts';
import { type BusLog, silentLog } from '../log.ts';
import type { Bus, GroupPlace } from '../port.ts';
import { startConsumer } from './consumer/consumer.ts';
import { register } from './consumer/offsets.ts';
import { PUBLISHED } from './consumer/session.ts';
import type { PostgresBusOptions } from './options.ts';
import { keepPruning } from './prune.ts';
import { publishMessages } from './publish.ts';

type Topics = {
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

const createTopics = (pool: Pool): Topics => {
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

/** A server that vanished without a word must not hold a publisher for ever. */
const PATIENCE = { connectionTimeoutMillis: 10_000, query_timeout: 30_000, keepAlive: true };

const openPool = (databaseUrl: string, max: number, log: BusLog): Pool => {
  const pool = new HeardPool({ connectionString: databaseUrl, max, application_name: 'bus', ...PATIENCE });
  pool.on('error', (error) => log.warn(`The bus lost an idle connection to Postgres: ${reasonOf(error)}`));
  return pool;
};

/** What was removed before a group came counts as seen. */
const PLACES = `
  SELECT p.partition, coalesce(o.committed, 0)::text AS committed,
         (p.next_offset - greatest(coalesce(o.committed, 0), coalesce(oldest."offset", p.next_offset)))::float8 AS lag
  FROM bus_partitions p
  LEFT JOIN bus_offsets o ON o.topic = p.topic AND o.partition = p.partition AND o.group_name = $2
  LEFT JOIN LATERAL (
    SELECT "offset" FROM bus_messages m WHERE m.topic = p.topic AND m.partition = p.partition ORDER BY "offset" LIMIT 1
  ) AS oldest ON true
  WHERE p.topic = $1`;

const readPlaces = async (pool: Pool, topic: string, group: string): Promise<readonly GroupPlace[]> =>
  (await pool.query<GroupPlace>(PLACES, [topic, group])).rows;

/** Publishers of this process announce together what they publish in this time. */
const ANNOUNCE_EVERY_MS = 10;

export const openPostgresBus = (options: PostgresBusOptions): Bus => {
  const { databaseUrl, poolSize = 4, pollMs = 1_000, heartbeatMs = 1_000, retention, log = silentLog } = options;
  const pool = openPool(databaseUrl, poolSize, log);
  const topics = createTopics(pool);
  const notifier = createNotifier(pool, PUBLISHED, ANNOUNCE_EVERY_MS);
  const bell = new EventEmitter().setMaxListeners(0);
  const pruning = retention && keepPruning(pool, retention, log);
  return busOn({
    name: 'Postgres',
    ensureTopic: topics.ensure,
    publish: async (topic, messages, options) => {
      const partitions = await topics.partitionsOf(topic);
      await publishMessages(pool, topic, partitions, messages, options);
      bell.emit('published', topic);
      notifier.notify(topic);
    },
    consume: async (wanted) => {
      const partitions = await topics.partitionsOf(wanted.topic);
      await register(pool, wanted.topic, wanted.group);
      return startConsumer({ pool, pollMs, heartbeatMs, log, bell }, partitions, wanted);
    },
    places: async (topic, group) => {
      await topics.partitionsOf(topic);
      return readPlaces(pool, topic, group);
    },
    // It is in the database of whoever asks.
    identity: async () => 'postgres',
    close: async () => {
      await notifier.close();
      await pruning?.stop();
      await pool.end();
    },
  });
};
