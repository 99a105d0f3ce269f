import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import kafkajs, { type Admin, Kafka, logLevel } from 'kafkajs';
import { brokersGiven, kafkaForTests, missingKafkaTool } from '../../../test/engines/kafka/index.ts';
import { describeWhere } from '../../../test/support/jest-left-out.ts';
import { message, openCollector } from '../contract/index.ts';
import type { Bus } from '../index.ts';
import { openKafkaBus } from './index.ts';

const { CompressionCodecs, CompressionTypes } = kafkajs;
const missing = brokersGiven() ? undefined : await missingKafkaTool();

describeWhere(missing === undefined, missing ?? '')('Kafka with more in it than is opened at once', () => {
  let kafka: Awaited<ReturnType<typeof kafkaForTests>>;
  let client: Kafka;
  let admin: Admin;
  let bus: Bus;
  const alerts: string[] = [];
  beforeAll(async () => {
    kafka = await kafkaForTests();
    const brokers = kafka.brokers.split(',');
    client = new Kafka({ brokers, logLevel: logLevel.NOTHING });
    admin = client.admin();
    await admin.connect();
    const quiet = (): void => undefined;
    const log = { info: quiet, warn: quiet, error: (text: string, alert: string) => alerts.push(`${alert}: ${text}`) };
    bus = openKafkaBus({ brokers, sessionTimeoutMs: 6_000, log });
  }, 120_000);
  afterAll(async () => {
    await bus?.close();
    await admin?.disconnect();
    await kafka?.stop();
  }, 60_000);

  const topicOf = async (compression: string, numPartitions: number): Promise<string> => {
    const topic = `much-${crypto.randomUUID()}`;
    const configEntries = [{ name: 'compression.type', value: compression }];
    await admin.createTopics({ topics: [{ topic, numPartitions, configEntries }] });
    return topic;
  };

  it.each(['gzip', 'zstd'])(
    'hands on in parts, in order, what opens to more than is borne, compressed by %s',
    async (compression) => {
      const topic = await topicOf(compression, 3);
      const keys = ['a', 'b', 'c', 'd', 'e'];
      for (let nth = 0; nth < 16; nth += 1)
        await Promise.all(keys.map((key) => bus.publish(topic, [message(key, nth, 'x'.repeat(900_000))])));
      const collected = await openCollector(bus, { topic, group: 'readers' });
      await collected.until((seen) => seen.length >= 80);
      for (const key of keys)
        expect(collected.seen.filter((each) => each.key === key).map(({ id }) => id)).toEqual(
          Array.from({ length: 16 }, (_, nth) => message(key, nth).id),
        );
      expect(await bus.lag(topic, 'readers')).toBe(0);
      expect(alerts).toEqual([]);
      await collected.stop();
    },
    120_000,
  );

  /** As a producer that compresses; the bus itself does not. */
  const publishCompressed = async (topic: string, value: string): Promise<void> => {
    const reading = CompressionCodecs[CompressionTypes.GZIP];
    CompressionCodecs[CompressionTypes.GZIP] = () => ({
      compress: async ({ buffer }: { readonly buffer: Buffer }) => gzipSync(buffer),
    });
    const producer = client.producer();
    try {
      await producer.connect();
      await producer.send({ topic, compression: CompressionTypes.GZIP, messages: [{ value }] });
    } finally {
      CompressionCodecs[CompressionTypes.GZIP] = reading;
      await producer.disconnect();
    }
  };

  it('says what to do before a small batch that opens to more, and goes on behind it', async () => {
    const topic = await topicOf('producer', 1);
    await publishCompressed(topic, 'x'.repeat(40_000_000));
    await bus.publish(topic, [message('k', 1)]);
    const standing = await openCollector(bus, { topic, group: 'readers' });
    while (alerts.length === 0) await delay(50);
    expect(alerts[0]).toMatch(/^bus_not_read: .*open to more than 16777216 bytes.*--reset-offsets/);
    await standing.stop();
    expect(standing.seen).toEqual([]);
    await admin.setOffsets({ groupId: `readers.${topic}`, topic, partitions: [{ partition: 0, offset: '1' }] });
    const behind = await openCollector(bus, { topic, group: 'readers' });
    await behind.until((seen) => seen.length === 1);
    expect(behind.seen.map(({ id }) => id)).toEqual([message('k', 1).id]);
  }, 120_000);
});
