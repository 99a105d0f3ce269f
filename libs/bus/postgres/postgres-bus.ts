import { EventEmitter } from 'node:events';
import { createNotifier } from '#platform/postgres';
import { busOn } from '../bus-on.ts';
import { silentLog } from '../log.ts';
import type { Bus } from '../port.ts';
import { startConsumer } from './consumer/consumer.ts';
import { register } from './consumer/offsets.ts';
import { PUBLISHED } from './consumer/session.ts';
import { readLag } from './lag.ts';
import type { PostgresBusOptions } from './options.ts';
import { openPool } from './pool.ts';
import { keepPruning } from './prune.ts';
import { publishMessages } from './publish.ts';
import { createTopics } from './topics.ts';

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
    lag: async (topic, group) => {
      await topics.partitionsOf(topic);
      return readLag(pool, topic, group);
    },
    close: async () => {
      await notifier.close();
      await pruning?.stop();
      await pool.end();
    },
  });
};
