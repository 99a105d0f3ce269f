import { brokersGiven, kafkaForTests, missingKafkaTool } from '../engines/kafka/index.ts';
import { startEventStoreServer } from '../support/eventstore-server.ts';
import { describeWhere } from '../support/jest-left-out.ts';
import { bindClauses } from './bind.ts';
import { type Running, startService } from './harness/index.ts';

const missing = brokersGiven() ? undefined : await missingKafkaTool();

const startOnEngines = async (): Promise<Running> => {
  const [eventStore, kafka] = await Promise.all([startEventStoreServer(), kafkaForTests()]);
  const stopEngines = async (): Promise<void> => {
    await Promise.all([eventStore.stop(), kafka.stop()]);
  };
  try {
    const running = await startService({
      EVENT_STORE: 'eventstoredb',
      EVENTSTORE_URL: eventStore.url,
      BUS: 'kafka',
      KAFKA_BROKERS: kafka.brokers,
    });
    return {
      ...running,
      stop: async () => {
        await running.stop();
        await stopEngines();
      },
    };
  } catch (error) {
    await stopEngines();
    throw error;
  }
};

describeWhere(missing === undefined, missing ?? '')('with a broker', () =>
  bindClauses('on EventStoreDB and Kafka', startOnEngines),
);
