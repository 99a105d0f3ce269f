import type { Admin, Kafka } from 'kafkajs';
import { reasonOf } from '#platform/reason';
import { busOn, type Carrier } from '../bus-on.ts';
import { unknownTopic } from '../errors.ts';
import { silentLog } from '../log.ts';
import type { Bus, GroupPlace } from '../port.ts';
import { createClient, type KafkaBusOptions } from './client.ts';
import { groupIdOf, startConsumer } from './consumer.ts';
import { patiently } from './patiently.ts';
import { prefixed } from './prefixed.ts';
import { createProducer } from './producer.ts';
import { createPublisher } from './publisher.ts';
import { createTopic, giveSettings, NEEDED, type TopicSettings } from './topic-settings.ts';

/** A connection for one question: it cannot be one that a restart of the brokers has made useless. */
const withAdmin = async <T>(kafka: Kafka, ask: (admin: Admin) => Promise<T>): Promise<T> => {
  const admin = kafka.admin();
  try {
    await admin.connect();
    return await patiently(() => ask(admin));
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
};

type Topics = {
  readonly ensure: (topic: string, partitions: number) => Promise<void>;
  /** Throws when there is no such topic; kafkajs itself would go on asking for it. */
  readonly require: (topic: string) => Promise<void>;
  /** Looks anew behind a failure: brokers may have come back without it. One that was made sure of here is made again. */
  readonly doubt: (topic: string) => Promise<void>;
};

const exists = async (admin: Admin, topic: string): Promise<boolean> => (await admin.listTopics()).includes(topic);

const told = (settings: TopicSettings): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name}=${value}`)
    .join(' and ');

const createTopics = (kafka: Kafka, options: KafkaBusOptions): Topics => {
  const { log = silentLog } = options;
  const known = new Set<string>();
  /** Those that were made sure of here, with their partitions. */
  const ensured = new Map<string, number>();
  /** Those whose settings were looked at here; they may be made again. */
  const looked = new Set<string>();
  const onRefused = (topic: string, error: unknown): void =>
    log.warn(`Topic ${topic} is made as the brokers allow (${reasonOf(error)}): see that it has ${told(NEEDED)}`);
  /** A client without the right to alter a topic works all the same; whoever has it is told what is to be set. */
  const settle = async (admin: Admin, topic: string): Promise<void> => {
    if (looked.has(topic)) return;
    looked.add(topic);
    try {
      const changed = await giveSettings(admin, topic, NEEDED);
      if (changed.length > 0) log.warn(`Topic ${topic} was given the settings that it needs: ${changed.join(', ')}`);
    } catch (error) {
      log.warn(
        `The settings of topic ${topic} could not be looked at or changed (${reasonOf(error)}): see that it has ${told(NEEDED)}`,
      );
    }
  };
  const make = (topic: string, partitions: number): Promise<boolean> =>
    withAdmin(kafka, async (admin) => {
      if (await exists(admin, topic)) {
        await settle(admin, topic);
        return false;
      }
      looked.add(topic);
      const { replicationFactor = -1, topicSettings = {} } = options;
      const wanted = { topic, numPartitions: partitions, replicationFactor };
      return createTopic(admin, wanted, topicSettings, (error) => onRefused(topic, error));
    });
  const underWay = new Map<string, Promise<void>>();
  const ensureAlone = async (topic: string, partitions: number): Promise<void> => {
    const isNew = await make(topic, partitions);
    if (isNew && ensured.has(topic))
      log.warn(
        `Topic ${topic} was gone and is made again: what was on it and not yet taken is carried once more by \`cointill deliveries carry-again\``,
      );
    ensured.set(topic, partitions);
    known.add(topic);
  };
  /** Those who come meanwhile share the answer: of two, the one would take what the other makes for a topic of before. */
  const ensure: Topics['ensure'] = (topic, partitions) => {
    const making = underWay.get(topic) ?? ensureAlone(topic, partitions).finally(() => underWay.delete(topic));
    underWay.set(topic, making);
    return making;
  };
  return {
    ensure,
    require: async (topic) => {
      if (known.has(topic)) return;
      if (!(await withAdmin(kafka, (admin) => exists(admin, topic)))) throw unknownTopic(topic);
      known.add(topic);
    },
    doubt: async (topic) => {
      known.delete(topic);
      looked.delete(topic);
      const partitions = ensured.get(topic);
      if (partitions !== undefined) await ensure(topic, partitions);
    },
  };
};

const NOTHING_COMMITTED = -1n;

/** What was removed before the group came counts as seen. */
const missing = (low: bigint, high: bigint, committed: bigint): bigint => high - (committed < low ? low : committed);

const readPlaces = (kafka: Kafka, topic: string, group: string): Promise<readonly GroupPlace[]> =>
  withAdmin(kafka, async (admin) => {
    const [offsets] = await admin.fetchOffsets({ groupId: groupIdOf(group, topic), topics: [topic] });
    const ends = await admin.fetchTopicOffsets(topic);
    const known = new Map(offsets?.partitions.map(({ partition, offset }) => [partition, BigInt(offset)]));
    return ends.map(({ partition, low, high }) => {
      const committed = known.get(partition) ?? NOTHING_COMMITTED;
      const lag = Number(missing(BigInt(low), BigInt(high), committed));
      return { partition, committed: committed.toString(), lag };
    });
  });

export const openKafkaBus = (options: KafkaBusOptions): Bus => {
  const { sessionTimeoutMs = 10_000, log = silentLog } = options;
  const kafka = createClient(options, log);
  const topics = createTopics(kafka, options);
  const publisher = createPublisher(createProducer(kafka));
  const carrier: Carrier = {
    name: 'Kafka',
    partitions: options.partitions,
    ensureTopic: topics.ensure,
    publish: async (topic, messages) => {
      await topics.require(topic);
      try {
        await publisher.publish(topic, messages);
      } catch (error) {
        await topics.doubt(topic).catch(() => undefined);
        throw error;
      }
    },
    consume: async (wanted) => {
      await topics.require(wanted.topic);
      return startConsumer({ kafka, sessionTimeoutMs, log, doubt: topics.doubt }, wanted);
    },
    places: async (topic, group) => {
      await topics.require(topic);
      return readPlaces(kafka, topic, group);
    },
    identity: async () => {
      const { clusterId } = await withAdmin(kafka, (admin) => admin.describeCluster());
      return `kafka ${clusterId}`;
    },
    close: publisher.close,
  };
  return busOn(prefixed(carrier, options.prefix ?? ''));
};
