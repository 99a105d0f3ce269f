import { describe } from '@jest/globals';
import pg from 'pg';
import { freshDatabase } from '../support/database.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { itSurvivesKills } from './webhooks/killed.ts';
import { itIsPrompt } from './webhooks/prompt.ts';
import { itTakesOver } from './webhooks/taken-over.ts';

const carrier = { kind: 'postgres' } as const;

/** Only what the carrier holds: its members' sessions and its publishers. */
const cutBus = async (connectionString: string): Promise<void> => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name ~ '^bus( |$)'`);
  await client.end();
};

const quiet = async () => {
  const { url, drop } = await freshDatabase();
  return { databaseUrl: url, carrier, tearDown: drop };
};

describe('Webhooks to 50 endpoints, 15 of them bad, through the Postgres carrier', () => {
  itIsPrompt(quiet);
  itTakesOver(quiet);

  describe('while relay, notifier and broker are killed at random', () => {
    itSurvivesKills(async () => {
      const server = await startPostgresServer();
      const cut = () => cutBus(server.url);
      return {
        databaseUrl: server.url,
        carrier,
        // The server that carries the bus holds the log and the deliveries too: all of them go down with it.
        hurtBroker: [cut, cut, server.crash],
        longestLifeMs: { relay: 3_000, notifier: 3_000, broker: 5_000 },
        tearDown: server.stop,
      };
    });
  });
});
