import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Admin, ConfigResourceTypes, Kafka, logLevel } from 'kafkajs';
import { brokersGiven, kafkaForTests, missingKafkaTool } from '../../../test/engines/kafka/index.ts';
import { describeWhere } from '../../../test/support/jest-left-out.ts';
import { message, openCollector } from '../contract/index.ts';
import type { Bus } from '../index.ts';
import { openKafkaBus } from './index.ts';

const missing = brokersGiven() ? undefined : await missingKafkaTool();

describeWhere(missing === undefined, missing ?? '')('Kafka whose topics are set by somebody else', () => {
  let kafka: Awaited<ReturnType<typeof kafkaForTests>>;
  let admin: Admin;
  let bus: Bus;
  const said: string[] = [];
  const say = (text: string): void => {
    said.push(text);
  };
  beforeAll(async () => {
    kafka = await kafkaForTests();
    const brokers = kafka.brokers.split(',');
    admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    bus = openKafkaBus({ brokers, log: { info: say, warn: say, error: say } });
  }, 120_000);
  afterAll(async () => {
    await bus?.close();
    await admin?.disconnect();
    await kafka?.stop();
  }, 60_000);

  const topicOf = async (
    settings: Readonly<Record<string, string>>,
    topic = `set-${crypto.randomUUID()}`,
  ): Promise<string> => {
    const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }));
    await admin.createTopics({ topics: [{ topic, numPartitions: 1, configEntries }] });
    return topic;
  };

  const settingsOf = async (topic: string): Promise<Readonly<Record<string, string>>> => {
    const resources = [{ type: ConfigResourceTypes.TOPIC, name: topic }];
    const { resources: told } = await admin.describeConfigs({ resources, includeSynonyms: false });
    return Object.fromEntries((told[0]?.configEntries ?? []).map((entry) => [entry.configName, entry.configValue]));
  };

  it.each(['gzip', 'snappy', 'lz4', 'zstd'])(
    'is read where messages are compressed by %s',
    async (compression) => {
      const topic = await topicOf({ 'compression.type': compression });
      const texts = [
        '',
        'a'.repeat(300_000),
        Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('hex'),
      ];
      const told = texts.map((text, nth) => message('k', nth, `${nth} \u00e9 ${text}`));
      await bus.publish(topic, told);
      for (let nth = 10; nth < 20; nth += 1) await bus.publish(topic, [message('k', nth, 'one of its own')]);
      const collected = await openCollector(bus, { topic, group: 'readers' });
      await collected.until((seen) => seen.length === 13);
      expect(collected.seen.slice(0, 3).map(({ value }) => value)).toEqual(told.map(({ value }) => value));
    },
    60_000,
  );

  it('is told what our topics need, and keeps what else is set', async () => {
    const topic = await topicOf({
      'compression.type': 'lz4',
      'cleanup.policy': 'compact',
      'retention.ms': '123456789',
    });
    await bus.ensureTopic(topic);
    expect(await settingsOf(topic)).toMatchObject({
      'compression.type': 'uncompressed',
      'cleanup.policy': 'delete',
      'retention.ms': '123456789',
    });
  }, 60_000);

  it('makes topics that neither compress nor compact', async () => {
    const topic = `made-${crypto.randomUUID()}`;
    await bus.ensureTopic(topic);
    const made = { 'compression.type': 'uncompressed', 'cleanup.policy': 'delete' };
    expect(await settingsOf(topic)).toMatchObject(made);
  }, 60_000);

  it('is told what our topics need where one was made anew under a running service, once something fails there', async () => {
    const topic = `anew-${crypto.randomUUID()}`;
    await bus.ensureTopic(topic);
    await admin.deleteTopics({ topics: [topic] });
    while ((await admin.listTopics()).includes(topic)) await delay(50);
    await topicOf({ 'cleanup.policy': 'compact', 'max.message.bytes': '1000' }, topic);
    await expect(bus.publish(topic, [message('k', 1, 'a'.repeat(5_000))])).rejects.toThrow();
    expect(await settingsOf(topic)).toMatchObject({ 'cleanup.policy': 'delete', 'max.message.bytes': '1000' });
  }, 60_000);

  it('has no topic that was gone where several make sure of a new one at once', async () => {
    for (let nth = 0; nth < 5; nth += 1) {
      const topic = `at-once-${crypto.randomUUID()}`;
      await Promise.all(Array.from({ length: 6 }, () => bus.ensureTopic(topic)));
    }
    expect(said.filter((text) => text.includes('was gone and is made again'))).toEqual([]);
  }, 60_000);
});
