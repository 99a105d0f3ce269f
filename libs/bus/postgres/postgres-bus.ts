import { busOn } from '../bus-on.ts';
import { silentLog } from '../log.ts';
import type { Bus } from '../port.ts';
import { startConsumer } from './consumer/consumer.ts';
import { register } from './consumer/offsets.ts';
import { readLag } from './lag.ts';
import { createNotifier } from './notifier.ts';
import type { PostgresBusOptions } from './options.ts';
import { openPool } from './pool.ts';
import { publishMessages } from './publish.ts';
import { keepPruning } from './retention.ts';
import { createTopics } from './topics.ts';

export const openPostgresBus = (options: PostgresBusOptions): Bus => {
  const { databaseUrl, poolSize = 4, pollMs = 1_000, heartbeatMs = 1_000, retention, log = silentLog } = options;
  const pool = openPool(databaseUrl, poolSize, log);
  const topics = createTopics(pool);
  const notifier = createNotifier(pool);
  const closing = new AbortController();
  const pruning = retention ? keepPruning(pool, retention, log, closing.signal) : undefined;
  return busOn({
    name: 'Postgres',
    ensureTopic: topics.ensure,
    publish: async (topic, messages) => {
      const partitions = await topics.partitionsOf(topic);
      await publishMessages(pool, topic, partitions, messages);
      notifier.announce(topic);
    },
    consume: async (wanted) => {
      const partitions = await topics.partitionsOf(wanted.topic);
      await register(pool, wanted.topic, wanted.group);
      return startConsumer({ databaseUrl, pollMs, heartbeatMs, log }, partitions, wanted);
    },
    lag: async (topic, group) => {
      await topics.partitionsOf(topic);
      return readLag(pool, topic, group);
    },
    close: async () => {
      closing.abort();
      await notifier.close();
      await pruning;
      await pool.end();
    },
  });
};
