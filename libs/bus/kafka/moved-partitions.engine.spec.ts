import { afterAll, beforeAll, expect } from '@jest/globals';
import { type Admin, Kafka, logLevel, Partitioners, type PartitionMetadata } from 'kafkajs';
import { brokersGiven, missingKafkaTool, type RunningKafka, startKafka } from '../../../test/engines/kafka/index.ts';
import { describeWhere, itWhere, notOurs } from '../../../test/support/jest-left-out.ts';
import { allOf, eventually, keysNamed, message, openCollector, publishUntilTold } from '../contract/index.ts';
import type { Bus } from '../index.ts';
import { openKafkaBus } from './index.ts';

const missing = brokersGiven() ? undefined : await missingKafkaTool();
const topic = 'deposit-events';

const partitionOf = (key: string, of: number): number => {
  const partitionMetadata = Array.from({ length: of }, (_, partitionId) => ({ partitionId, leader: 1 }));
  return Partitioners.DefaultPartitioner()({
    topic,
    message: { key, value: '' },
    partitionMetadata: partitionMetadata as PartitionMetadata[],
  });
};

describeWhere(missing === undefined, missing ?? '')('Kafka with two brokers', () => {
  let kafka: RunningKafka;
  let admin: Admin;
  const opened: Bus[] = [];
  beforeAll(async () => {
    kafka = await startKafka({ count: 2 });
    admin = new Kafka({ brokers: kafka.brokers.split(','), logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
  }, 90_000);
  afterAll(async () => {
    await Promise.all(opened.map(({ close }) => close()));
    await admin?.disconnect();
    await kafka?.stop();
  }, 90_000);

  const open = (): Bus => {
    const bus = openKafkaBus({ brokers: kafka.brokers.split(',') });
    opened.push(bus);
    return bus;
  };
  const leaders = async (of = topic): Promise<readonly number[]> => {
    const { topics } = await admin.fetchTopicMetadata({ topics: [of] });
    const partitions = topics[0]?.partitions ?? [];
    return partitions.toSorted((one, other) => one.partitionId - other.partitionId).map(({ leader }) => leader);
  };
  const move = async (partition: number, to: number, of = topic): Promise<void> => {
    const partitionAssignment = [{ partition, replicas: [to] }];
    await admin.alterPartitionReassignments({ topics: [{ topic: of, partitionAssignment }] });
    await eventually(async () => (await leaders(of))[partition], to);
  };

  itWhere(!brokersGiven(), notOurs('KAFKA_BROKERS'))(
    'loses nothing of a publication to both, when a partition has moved from one to the other',
    async () => {
      const [publisher, reader] = [open(), open()];
      await publisher.ensureTopic(topic, { partitions: 2 });
      const collected = await openCollector(reader, { topic, group: 'notifier' });
      const batch = (round: number) => keysNamed('deposit', 20).map((key) => message(key, round));
      await publisher.publish(topic, batch(0));
      const [first, second = 0] = await leaders();
      expect(first).not.toBe(second);
      await move(0, second);
      await publishUntilTold(publisher, topic, batch(1));
      await collected.until(allOf([...batch(0), ...batch(1)]));
    },
    60_000,
  );

  itWhere(!brokersGiven(), notOurs('KAFKA_BROKERS'))(
    'loses nothing of a publication to both, when there are more partitions and one of them has moved',
    async () => {
      const raised = 'engine.signals';
      const [publisher, reader] = [open(), open()];
      await publisher.ensureTopic(raised, { partitions: 2 });
      const keys = keysNamed('deposit', 60);
      // One whose broker answers, and one that goes to another partition of that broker once there are more.
      const stays = keys.find((key) => partitionOf(key, 2) === 1) ?? '';
      const goes = keys.find((key) => partitionOf(key, 2) === 0 && partitionOf(key, 4) === 2) ?? '';
      const batch = (round: number) => [stays, goes].map((key) => message(key, round));
      await publisher.publish(raised, batch(0));
      const [first = 0, second = 0] = await leaders(raised);
      expect(first).not.toBe(second);
      const assignments = [[second], [first]];
      await admin.createPartitions({ topicPartitions: [{ topic: raised, count: 4, assignments }] });
      await eventually(async () => (await leaders(raised)).length, 4);
      await move(0, second, raised);
      await publishUntilTold(publisher, raised, batch(1));
      const collected = await openCollector(reader, { topic: raised, group: 'engine' });
      await collected.until(allOf([...batch(0), ...batch(1)]));
    },
    60_000,
  );
});
