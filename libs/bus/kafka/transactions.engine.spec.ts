import { expect, it } from '@jest/globals';
import { Kafka, logLevel } from 'kafkajs';
import { brokersGiven, kafkaForTests, missingKafkaTool } from '../../../test/engines/kafka/index.ts';
import { describeWhere } from '../../../test/support/jest-left-out.ts';
import { eventually, openCollector } from '../contract/index.ts';
import { openKafkaBus } from './index.ts';

const missing = brokersGiven() ? undefined : await missingKafkaTool();

describeWhere(missing === undefined, missing ?? '')('Kafka with a producer that has transactions', () => {
  it('has nothing before a group that took all of them, nor of those that were given up', async () => {
    const kafka = await kafkaForTests();
    const brokers = kafka.brokers.split(',');
    const topic = `transactions-${crypto.randomUUID()}`;
    const [bus, client] = [openKafkaBus({ brokers }), new Kafka({ brokers, logLevel: logLevel.NOTHING })];
    const producer = client.producer({ transactionalId: topic, idempotent: true, maxInFlightRequests: 1 });
    const send = async (value: string, end: 'commit' | 'abort'): Promise<void> => {
      const transaction = await producer.transaction();
      await transaction.send({ topic, messages: [{ value }] });
      await transaction[end]();
    };
    try {
      await bus.ensureTopic(topic, { partitions: 1 });
      await producer.connect();
      await send('taken', 'commit');
      const collected = await openCollector(bus, { topic, group: 'readers' });
      await collected.until((seen) => seen.length === 1);
      await eventually(() => bus.lag(topic, 'readers'), 0);
      await send('given up', 'abort');
      await eventually(() => bus.lag(topic, 'readers'), 0);
      await send('taken too', 'commit');
      await collected.until((seen) => seen.length === 2);
      await eventually(() => bus.lag(topic, 'readers'), 0);
      expect(collected.seen.map(({ value }) => value)).toEqual(['taken', 'taken too']);
    } finally {
      await producer.disconnect();
      await bus.close();
      await kafka.stop();
    }
  }, 120_000);
});
