import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Admin, Kafka, logLevel } from 'kafkajs';
import { brokersGiven, kafkaForTests, missingKafkaTool } from '../../../test/engines/kafka/index.ts';
import { describeWhere } from '../../../test/support/jest-left-out.ts';
import { keysNamed, message, openCollector } from '../contract/index.ts';
import type { Bus } from '../index.ts';
import { headersFor } from './id-header.ts';
import { openKafkaBus } from './index.ts';

const missing = brokersGiven() ? undefined : await missingKafkaTool();

/** Without looking they would take five minutes. */
const SOON_MS = 60_000;

describeWhere(missing === undefined, missing ?? '')('Kafka with a topic that is given more partitions', () => {
  let running: Awaited<ReturnType<typeof kafkaForTests>>;
  let kafka: Kafka;
  let admin: Admin;
  const opened: Bus[] = [];
  beforeAll(async () => {
    running = await kafkaForTests();
    kafka = new Kafka({ brokers: running.brokers.split(','), logLevel: logLevel.NOTHING });
    admin = kafka.admin();
    await admin.connect();
  }, 120_000);
  afterAll(async () => {
    await Promise.all(opened.map(({ close }) => close()));
    await admin?.disconnect();
    await running?.stop();
  }, 60_000);

  const open = async (): Promise<{ bus: Bus; topic: string }> => {
    const bus = openKafkaBus({ brokers: running.brokers.split(',') });
    opened.push(bus);
    const topic = `grown-${crypto.randomUUID()}`;
    await bus.ensureTopic(topic, { partitions: 1 });
    return { bus, topic };
  };
  const grow = (topic: string) => admin.createPartitions({ topicPartitions: [{ topic, count: 3 }] });

  it('has its consumers take what comes on the new ones', async () => {
    const { bus, topic } = await open();
    const collected = await openCollector(bus, { topic, group: 'readers' });
    await bus.publish(topic, [message('deposit', 0)]);
    await collected.until((seen) => seen.length === 1);
    await grow(topic);
    const since = performance.now();
    const producer = kafka.producer();
    await producer.connect();
    const { id, key, value } = message('deposit', 1);
    await producer.send({ topic, messages: [{ partition: 2, key, value, headers: headersFor(id) }] });
    await producer.disconnect();
    await collected.until((seen) => seen.some((each) => each.id === id && each.partition === 2));
    expect(performance.now() - since).toBeLessThan(SOON_MS);
  }, 120_000);

  it('has its publishers send to the new ones', async () => {
    const { bus, topic } = await open();
    const told = (round: number) => keysNamed('deposit', 20).map((key) => message(key, round));
    await bus.publish(topic, told(0));
    await grow(topic);
    const since = performance.now();
    // A new one has no leader for a moment.
    const reached = (): Promise<boolean> =>
      admin.fetchTopicOffsets(topic).then(
        (ends) => ends.every(({ high }) => Number(high) > 0),
        () => false,
      );
    for (let round = 1; !(await reached()) && performance.now() - since < SOON_MS; round++) {
      await bus.publish(topic, told(round));
      await delay(500);
    }
    expect(await reached()).toBe(true);
  }, 120_000);
});
