import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { Kafka, logLevel } from 'kafkajs';
import { brokersGiven, missingKafkaTool, type RunningKafka, startKafka } from '../../../test/engines/kafka/index.ts';
import { describeWhere, itWhere, notOurs } from '../../../test/support/jest-left-out.ts';
import { keysNamed, message, openCollector, publishUntilTold } from '../contract/index.ts';
import type { Bus, Delivered } from '../index.ts';
import { openKafkaBus } from './index.ts';

const missing = brokersGiven() ? undefined : await missingKafkaTool();
const topic = 'deposit-events';
const batch = (round: number) => keysNamed('deposit', 10).map((key) => message(key, round));
const whole =
  (round: number) =>
  (seen: readonly Delivered[]): boolean =>
    batch(round).every(({ id }) => seen.some((each) => each.id === id));

describeWhere(missing === undefined, missing ?? '')('Kafka without a topic that was there', () => {
  let kafka: RunningKafka;
  let publisher: Bus;
  let reader: Bus;
  let collected: Awaited<ReturnType<typeof openCollector>>;
  const said: string[] = [];

  const inAdmin = async <T>(ask: (admin: ReturnType<Kafka['admin']>) => Promise<T>): Promise<T> => {
    const admin = new Kafka({ brokers: [kafka.brokers], logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    return ask(admin).finally(() => admin.disconnect());
  };

  beforeAll(async () => {
    kafka = await startKafka();
    const say = (text: string): void => {
      said.push(text);
    };
    const log = { info: say, warn: say, error: say };
    const open = () => openKafkaBus({ brokers: [kafka.brokers], sessionTimeoutMs: 6_000, log });
    [publisher, reader] = [open(), open()];
    for (const bus of [publisher, reader]) await bus.ensureTopic(topic, { partitions: 3 });
    collected = await openCollector(reader, { topic, group: 'notifier' });
    await publisher.publish(topic, batch(0));
    await collected.until(whole(0));
  }, 90_000);
  afterAll(async () => {
    await Promise.all([publisher?.close(), reader?.close()]);
    await kafka?.stop();
  }, 90_000);

  const madeAgain = (): number =>
    said.filter((text) => text.includes(`Topic ${topic} was gone and is made again`)).length;
  /** Until one of the two has made it again; what is published while brokers delete it goes with it. */
  const lost = async (meanwhile: () => Promise<unknown>): Promise<void> => {
    const before = madeAgain();
    await inAdmin((admin) => admin.deleteTopics({ topics: [topic] }));
    while (madeAgain() === before) await meanwhile();
  };

  const itOnOurOwn = itWhere(!brokersGiven(), notOurs('KAFKA_BROKERS'));

  itOnOurOwn(
    'makes it again as it was, says so, and goes on in it with who runs',
    async () => {
      await lost(() => publishUntilTold(publisher, topic, batch(1)));
      await publishUntilTold(publisher, topic, batch(1));
      await collected.until(whole(1));
      const { topics } = await inAdmin((admin) => admin.fetchTopicMetadata({ topics: [topic] }));
      expect(topics[0]?.partitions).toHaveLength(3);
    },
    90_000,
  );

  itOnOurOwn(
    'has a consumer make it where nobody publishes through the bus',
    async () => {
      await lost(() => delay(50));
      await publishUntilTold(publisher, topic, batch(2));
      await collected.until(whole(2));
    },
    90_000,
  );
});
