import { openKafkaBus } from '#bus/kafka';
import { brokersGiven, kafkaForTests, missingKafkaTool } from '../../../test/engines/kafka/index.ts';
import { describeWhere } from '../../../test/support/jest-left-out.ts';
import { describeSignalsTopic } from '../testing/signals-topic.ts';

const missing = brokersGiven() ? undefined : await missingKafkaTool();

describeWhere(missing === undefined, missing ?? '')('with a broker', () =>
  describeSignalsTopic('Kafka', [], async () => {
    const kafka = await kafkaForTests();
    const bus = openKafkaBus({ brokers: kafka.brokers.split(','), clientId: 'signals' });
    const close = async (): Promise<void> => {
      await bus.close();
      await kafka.stop();
    };
    return { bus, close };
  }),
);
