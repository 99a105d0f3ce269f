import { describe } from '@jest/globals';
import { startKafka } from '../engines/kafka/index.ts';
import { describeWithOwnBroker } from '../engines/kafka/own-broker.ts';
import { freshDatabase } from '../support/database.ts';
import { itSurvivesKills } from './webhooks/killed.ts';
import { itIsPrompt } from './webhooks/prompt.ts';

/** The shortest that a broker grants: so long the partitions of a killed notifier belong to nobody. */
const SESSION_TIMEOUT_MS = 6_000;

const open = async () => {
  const [kafka, database] = await Promise.all([startKafka(), freshDatabase()]);
  const carrier = { kind: 'kafka', brokers: [kafka.brokers], sessionTimeoutMs: SESSION_TIMEOUT_MS } as const;
  const tearDown = async (): Promise<void> => {
    await Promise.all([kafka.stop(), database.drop()]);
  };
  return { kafka, databaseUrl: database.url, carrier, tearDown };
};

describeWithOwnBroker('Webhooks to 50 endpoints, 15 of them bad, through Kafka', () => {
  itIsPrompt(open);

  describe('while relay, notifier and broker are killed at random', () => {
    itSurvivesKills(async () => {
      const { kafka, ...ground } = await open();
      const killBroker = async (): Promise<void> => {
        await kafka.kill();
        await kafka.restart();
      };
      return {
        ...ground,
        hurtBroker: [killBroker, killBroker],
        // Notifiers: long enough for most to have partitions when they die. Relays: many die while the broker is away.
        longestLifeMs: { relay: 1_500, notifier: 15_000, broker: 5_000 },
      };
    });
  });
});
