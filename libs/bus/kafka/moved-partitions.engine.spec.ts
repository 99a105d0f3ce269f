import { afterAll, beforeAll, expect } from '@jest/globals';
import { type Admin, Kafka, logLevel } from 'kafkajs';
import { brokersGiven, missingKafkaTool, type RunningKafka, startKafka } from '../../../test/engines/kafka/index.ts';
import { describeWhere, itWhere, notOurs } from '../../../test/support/jest-left-out.ts';
import { allOf, eventually, keysNamed, message, openCollector, publishUntilTold } from '../contract/index.ts';
import type { Bus } from '../index.ts';
import { openKafkaBus } from './index.ts';

const missing = brokersGiven() ? undefined : await missingKafkaTool();
const topic = 'deposit-events';

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
  const leaders = async (): Promise<readonly number[]> => {
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
    const partitions = topics[0]?.partitions ?? [];
    return partitions.toSorted((one, other) => one.partitionId - other.partitionId).map(({ leader }) => leader);
  };
  const move = async (partition: number, to: number): Promise<void> => {
    const partitionAssignment = [{ partition, replicas: [to] }];
    await admin.alterPartitionReassignments({ topics: [{ topic, partitionAssignment }] });
    await eventually(async () => (await leaders())[partition], to);
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
});
