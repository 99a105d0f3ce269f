import { expect, it } from '@jest/globals';
import pg from 'pg';
import { readConfiguration } from '#platform/configuration';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrateAll } from './migrations.ts';
import { asServiceRole } from './service-role.ts';

const database = databasePerTest();

const ask = async (url: string, text: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
};

const notOwned = `
  SELECT relname AS name FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relowner <> 'cointill'::regrole
  UNION ALL
  SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proowner <> 'cointill'::regrole`;

it('is no superuser, and owns what a superuser of a release before had made', async () => {
  const configuration = readConfiguration({});
  await migrateAll(database.url, configuration);
  await ask(database.url, "INSERT INTO affiliates (name) VALUES ('Northern')");
  const first = await asServiceRole(database.url);
  expect(
    await ask(
      first,
      'SELECT current_user AS me, rolsuper, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname = current_user',
    ),
  ).toEqual([{ me: 'cointill', rolsuper: false, rolcreaterole: false, rolcreatedb: false }]);
  expect(await ask(first, notOwned)).toEqual([]);
  expect(await ask(first, 'SELECT name FROM affiliates')).toEqual([{ name: 'Northern' }]);
  await expect(ask(first, "SELECT pg_read_file('/etc/passwd')")).rejects.toThrow(/permission denied/);
  // At the next start, with another password.
  const second = await asServiceRole(database.url);
  await expect(ask(first, 'SELECT')).rejects.toThrow(/password authentication failed/);
  await migrateAll(second, configuration);
});

it('can make all that a first start makes', async () => {
  const url = await asServiceRole(database.url);
  await migrateAll(url, readConfiguration({}));
  expect(await ask(url, notOwned)).toEqual([]);
});
