import { expect, it } from '@jest/globals';
import { brokersGiven, kafkaForTests, missingKafkaTool } from '../../../test/engines/kafka/index.ts';
import { describeWhere } from '../../../test/support/jest-left-out.ts';
import { message } from '../contract/index.ts';
import { openKafkaBus } from './index.ts';

const missing = brokersGiven() ? undefined : await missingKafkaTool();

describeWhere(missing === undefined, missing ?? '')('Kafka whose brokers take less than the bus', () => {
  it('refuses what will never fit, and takes what does', async () => {
    const kafka = await kafkaForTests();
    const topicSettings = { 'max.message.bytes': '20000' };
    const bus = openKafkaBus({ brokers: kafka.brokers.split(','), topicSettings });
    try {
      await bus.ensureTopic('small');
      const large = bus.publish('small', [message('k', 0, 'x'.repeat(30_000))]);
      await expect(large).rejects.toMatchObject({ code: 'refused' });
      await bus.publish('small', [message('k', 1, 'y'.repeat(10_000))]);
      expect(await bus.lag('small', 'nobody')).toBe(1);
    } finally {
      await bus.close();
      await kafka.stop();
    }
  }, 120_000);
});
