import { silentLog } from '../log.ts';
import { checkMessages, checkName } from '../message.ts';
import { type Bus, type BusConsumer, type ConsumeOptions, DEFAULT_PARTITIONS } from '../port.ts';
import { startConsumer } from './consumer/consumer.ts';
import { register } from './consumer/offsets.ts';
import { readLag } from './lag.ts';
import { createNotifier } from './notifier.ts';
import type { PostgresBusOptions } from './options.ts';
import { openPool } from './pool.ts';
import { publishMessages } from './publish.ts';
import { keepPruning } from './retention.ts';
import { createTopics } from './topics.ts';
import { asBusError } from './unavailable.ts';

export const openPostgresBus = (options: PostgresBusOptions): Bus => {
  const { databaseUrl, poolSize = 4, pollMs = 1_000, heartbeatMs = 1_000, retention, log = silentLog } = options;
  const pool = openPool(databaseUrl, poolSize, log);
  const topics = createTopics(pool);
  const notifier = createNotifier(pool);
  const consumers = new Set<BusConsumer>();
  const closing = new AbortController();
  const pruning = retention ? keepPruning(pool, retention, log, closing.signal) : undefined;
  let closed: Promise<void> | undefined;

  const publish: Bus['publish'] = async (topic, messages) => {
    checkMessages(messages);
    const partitions = await topics.partitionsOf(topic);
    await publishMessages(pool, topic, partitions, messages);
    notifier.announce(topic);
  };

  const consume = async (wanted: ConsumeOptions): Promise<BusConsumer> => {
    const partitions = await topics.partitionsOf(wanted.topic);
    await register(pool, wanted.topic, wanted.group);
    const started = startConsumer({ databaseUrl, pollMs, heartbeatMs, log }, partitions, wanted);
    const consumer: BusConsumer = {
      stop: async () => {
        await started.stop();
        consumers.delete(consumer);
      },
    };
    consumers.add(consumer);
    return consumer;
  };

  const lag: Bus['lag'] = async (topic, group) => {
    await topics.partitionsOf(topic);
    return readLag(pool, topic, group);
  };

  const close = async (): Promise<void> => {
    closing.abort();
    await Promise.all([...consumers].map(({ stop }) => stop()));
    await notifier.close();
    await pruning;
    await pool.end();
  };

  return {
    ensureTopic: async (topic, { partitions = DEFAULT_PARTITIONS } = {}) => {
      checkName('topic', topic);
      await topics.ensure(topic, partitions).catch(asBusError(`make topic "${topic}"`));
    },
    publish: (topic, messages) => publish(topic, messages).catch(asBusError(`publish to "${topic}"`)),
    consume: async (wanted) => {
      checkName('group', wanted.group);
      return consume(wanted).catch(asBusError(`consume "${wanted.topic}"`));
    },
    lag: (topic, group) => lag(topic, group).catch(asBusError(`read the lag of "${topic}"`)),
    close: () => {
      closed ??= close();
      return closed;
    },
  };
};
