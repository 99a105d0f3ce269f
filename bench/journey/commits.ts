import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

const EVERY_MS = 25;

/**
 * What the machine makes of one durable row while the service works beside it: whoever waits for the disk cannot be
 * quicker than this, in the middle or at the end.
 */
export const startCommits = async (databaseUrl: string): Promise<{ readonly stop: () => Promise<number[]> }> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('CREATE TABLE IF NOT EXISTS bare_commits (at timestamptz NOT NULL)');
  const times: number[] = [];
  let stopped = false;
  const commit = async (): Promise<void> => {
    const begun = performance.now();
    await client.query({ name: 'bare-commit', text: 'INSERT INTO bare_commits VALUES (now())' });
    times.push(performance.now() - begun);
  };
  const going = (async () => {
    while (!stopped) await Promise.all([commit(), delay(EVERY_MS)]);
  })();
  return {
    stop: async () => {
      stopped = true;
      await going;
      await client.end();
      return times;
    },
  };
};
