import { afterAll, beforeAll, expect } from '@jest/globals';
import {
  brokersGiven,
  kafkaForTests,
  missingKafkaTool,
  type RunningKafka,
  startKafka,
} from '../../../test/engines/kafka/index.ts';
import { describeWhere, itWhere, notOurs } from '../../../test/support/jest-left-out.ts';
import {
  allOf,
  describeBus,
  eventually,
  firstArrivals,
  keysNamed,
  message,
  openCollector,
  publishUntilTold,
} from '../contract/index.ts';
import type { Bus, BusMessage } from '../index.ts';
import { openKafkaBus } from './index.ts';

const SESSION_TIMEOUT_MS = 6_000;

const missing = brokersGiven() ? undefined : await missingKafkaTool();
const describeWithBroker = describeWhere(missing === undefined, missing ?? '');

describeWithBroker('with a broker', () =>
  describeBus('Kafka', async () => {
    const kafka = await kafkaForTests();
    const brokers = kafka.brokers.split(',');
    return {
      recipe: {
        module: new URL('./index.ts', import.meta.url).href,
        open: 'openKafkaBus',
        options: { brokers, sessionTimeoutMs: SESSION_TIMEOUT_MS },
      },
      serverPorts: brokers.map((broker) => Number(broker.split(':')[1])),
      takeOverMs: SESSION_TIMEOUT_MS * 3,
      longBatchMs: SESSION_TIMEOUT_MS * 1.5,
      tearDown: kafka.stop,
    };
  }),
);

const itOnOurOwn = itWhere(!brokersGiven(), notOurs('KAFKA_BROKERS'));

describeWithBroker('Kafka whose broker is killed and started again', () => {
  let kafka: RunningKafka;
  const opened: Bus[] = [];
  beforeAll(async () => {
    kafka = await startKafka();
  }, 90_000);
  afterAll(async () => {
    await Promise.all(opened.map(({ close }) => close()));
    await kafka?.stop();
  }, 90_000);

  const open = (): Bus => {
    const bus = openKafkaBus({ brokers: [kafka.brokers], sessionTimeoutMs: SESSION_TIMEOUT_MS });
    opened.push(bus);
    return bus;
  };

  itOnOurOwn(
    'loses nothing of what was published and consumed meanwhile, and keeps the order of every key',
    async () => {
      const [publisher, topic] = [open(), 'deposit-events'];
      await publisher.ensureTopic(topic, { partitions: 3 });
      const collected = await openCollector(open(), { topic, group: 'notifier', batchSize: 5 });
      const published: BusMessage[] = [];
      const killing = new AbortController();
      const publish = async (): Promise<void> => {
        for (let round = 0; !killing.signal.aborted; round += 1) {
          const batch = keysNamed('deposit', 10).map((key) => message(key, round));
          await publishUntilTold(publisher, topic, batch);
          published.push(...batch);
          await collected.until((seen) => seen.length > published.length - 100);
        }
      };
      const kill = async (): Promise<void> => {
        for (const reached of [200, 600, 1_000]) {
          await collected.until((seen) => seen.length >= reached);
          await kafka.kill();
          await kafka.restart();
        }
        killing.abort();
      };
      await Promise.all([publish(), kill()]);
      await collected.until(allOf(published));

      expect(firstArrivals(collected.seen)).toEqual(firstArrivals(published));
      await eventually(() => publisher.lag(topic, 'notifier'), 0);
    },
  );

  itOnOurOwn('tells whoever asks for a topic whether it can be reached', async () => {
    const bus = open();
    await bus.ensureTopic('asked-for');
    await kafka.kill();
    await expect(bus.ensureTopic('asked-for')).rejects.toMatchObject({ code: 'unavailable' });
    await kafka.restart();
    await bus.ensureTopic('asked-for');
  });
});
