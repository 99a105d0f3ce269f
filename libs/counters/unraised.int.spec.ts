import { setTimeout as later } from 'node:timers/promises';
import { expect, it, jest } from '@jest/globals';
import { silentLogger } from '#platform/logging';
import { createPool } from '#platform/postgres';
import { databasesPerTest } from './testing/databases.ts';
import { openBeside } from './testing/open-beside.ts';

/** Databases are made, copied and filled again. */
jest.setTimeout(90_000);

const databases = databasesPerTest('apart');

const ready = async (url: string) => {
  const instance = await openBeside({ url, logUrl: databases.logUrl });
  expect(await instance.counters.firstLook).toBeUndefined();
  return instance;
};

type Instance = Awaited<ReturnType<typeof ready>>;

const several = async ({ create }: Instance, count: number): Promise<void> => {
  for (let nth = 0; nth < count; nth++) await create();
};

const indexesIn = async ({ pool }: Pick<Instance, 'pool'>): Promise<readonly number[]> => {
  const { rows } = await pool.query<{ next: number }>(
    `SELECT next_index AS next FROM derivation_keys WHERE currency = 'BTC' ORDER BY id`,
  );
  return rows.map(({ next }) => next);
};

/** No key goes on while it stands. */
const REFUSE = `
  CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no key goes on'; END $$;
  CREATE TRIGGER refuse BEFORE UPDATE OF next_index ON derivation_keys FOR EACH ROW EXECUTE FUNCTION refuse()`;

const untilCounted = async ({ pool }: Pick<Instance, 'pool'>, before: string): Promise<void> => {
  for (let tries = 0; tries < 400; tries++) {
    const { rows } = await pool.query<{ position: string }>('SELECT position FROM counted_through');
    if (rows[0] && rows[0].position !== before) return;
    await later(25);
  }
  throw new Error('the log was not counted in time');
};

it('keys go on above what the log holds, also where whoever counted it died before he raised them', async () => {
  const before = await ready(databases.url);
  await several(before, 3);
  await before.close();
  // So that the mark of the copy is at its end.
  await (await ready(databases.url)).close();
  const copy = await databases.copied();
  const gone = await ready(databases.url);
  await several(gone, 12);
  await gone.close();
  // Those of fifteen deposits; what stands free in a pool nobody was told of.
  const given = 15;

  const pool = createPool({ url: copy.url, applicationName: 'test', logger: silentLogger });
  const { rows } = await pool.query<{ position: string }>('SELECT position FROM counted_through');
  await pool.query(REFUSE);
  const failing = await openBeside({ url: copy.url, logUrl: databases.logUrl });
  await untilCounted({ pool }, rows[0]?.position ?? '');
  await failing.close();
  await pool.query('DROP TRIGGER refuse ON derivation_keys');
  expect((await indexesIn({ pool }))[0]).toBeLessThan(given);

  const after = await ready(copy.url);
  expect((await indexesIn({ pool }))[0]).toBeGreaterThanOrEqual(given);
  await after.create();
  await after.close();
  await pool.end();
});
