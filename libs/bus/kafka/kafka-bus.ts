import { busOn } from '../bus-on.ts';
import { silentLog } from '../log.ts';
import type { Bus } from '../port.ts';
import { createClient } from './client.ts';
import { startConsumer } from './consumer.ts';
import { readLag } from './lag.ts';
import type { KafkaBusOptions } from './options.ts';
import { createProducer } from './producer.ts';
import { createPublisher } from './publisher.ts';
import { createTopics } from './topics.ts';

export const openKafkaBus = (options: KafkaBusOptions): Bus => {
  const { sessionTimeoutMs = 10_000, log = silentLog } = options;
  const kafka = createClient(options, log);
  const topics = createTopics(kafka, options);
  const publisher = createPublisher(createProducer(kafka));
  return busOn({
    name: 'Kafka',
    partitions: options.partitions,
    ensureTopic: topics.ensure,
    publish: async (topic, messages) => {
      await topics.require(topic);
      await publisher.publish(topic, messages);
    },
    consume: async (wanted) => {
      await topics.require(wanted.topic);
      return startConsumer({ kafka, sessionTimeoutMs, log }, wanted);
    },
    lag: async (topic, group) => {
      await topics.require(topic);
      return readLag(kafka, topic, group);
    },
    close: publisher.close,
  });
};
