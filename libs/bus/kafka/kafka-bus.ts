import { silentLog } from '../log.ts';
import { checkMessages, checkName } from '../message.ts';
import { type Bus, type BusConsumer, type ConsumeOptions, DEFAULT_PARTITIONS } from '../port.ts';
import { createClient } from './client.ts';
import { startConsumer } from './consumer.ts';
import { readLag } from './lag.ts';
import type { KafkaBusOptions } from './options.ts';
import { createProducer } from './producer.ts';
import { createPublisher } from './publisher.ts';
import { createTopics } from './topics.ts';
import { asBusError } from './unavailable.ts';

export const openKafkaBus = (options: KafkaBusOptions): Bus => {
  const { sessionTimeoutMs = 10_000, log = silentLog } = options;
  const kafka = createClient(options, log);
  const topics = createTopics(kafka, options);
  const publisher = createPublisher(createProducer(kafka));
  const consumers = new Set<BusConsumer>();
  let closed: Promise<void> | undefined;

  const publish: Bus['publish'] = async (topic, messages) => {
    checkMessages(messages);
    await topics.require(topic);
    await publisher.publish(topic, messages);
  };

  const consume = async (wanted: ConsumeOptions): Promise<BusConsumer> => {
    await topics.require(wanted.topic);
    const started = startConsumer({ kafka, sessionTimeoutMs, log }, wanted);
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
    await topics.require(topic);
    return readLag(kafka, topic, group);
  };

  const close = async (): Promise<void> => {
    await Promise.all([...consumers].map(({ stop }) => stop()));
    await publisher.close();
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
