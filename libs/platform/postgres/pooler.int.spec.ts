import { beforeAll, expect, it } from '@jest/globals';
import type pg from 'pg';
import { startPooler } from '../../../test/support/pooler.ts';
import { databasePerFile } from '../../../test/support/with-database.ts';
import { silentLogger } from '../logging/index.ts';
import { createPool, openConnection, type Queryable, type Settings } from './index.ts';

const database = databasePerFile();
let pooled: string;

beforeAll(async () => {
  const pooler = database.closing(await startPooler(database.url));
  pooled = pooler.url;
});

const openPool = (url: string, settings: Settings = {}): pg.Pool => {
  const pool = createPool({ url, settings, applicationName: 'test', logger: silentLogger, statementTimeoutMs: 300 });
  database.atEnd(() => pool.end());
  return pool;
};

const sleep = (db: Queryable): Promise<unknown> => db.query('SELECT pg_sleep(2)');

const CANCELLED = { code: '57014', message: expect.stringContaining('statement timeout') };

it('a pooler refuses what it does not know in the first message', async () => {
  const url = `${pooled}?options=${encodeURIComponent('-c search_path=public')}`;
  await expect(openPool(url).query('SELECT 1')).rejects.toThrow('unsupported startup parameter: options');
});

it('a statement that takes too long is cancelled by the server behind a pooler, in the pool and beside it', async () => {
  const pool = openPool(pooled);
  await expect(sleep(pool)).rejects.toMatchObject(CANCELLED);
  const { client, close } = await openConnection(pool, 'beside');
  await expect(sleep(client)).rejects.toMatchObject(CANCELLED);
  await close();
});

it('what a pool sets holds behind a pooler in each of its sessions, and beside it unless that says otherwise', async () => {
  const pool = openPool(pooled, { default_transaction_read_only: 'on' });
  const [shown, write] = ['SHOW statement_timeout', 'CREATE TABLE ledger ()'];
  await expect(Promise.all([1, 2].map(() => pool.query(write)))).rejects.toMatchObject({ code: '25006' });
  const { client, close } = await openConnection(pool, 'beside', { settings: { statement_timeout: '7s' } });
  expect((await client.query(shown)).rows).toEqual([{ statement_timeout: '7s' }]);
  await expect(client.query(write)).rejects.toMatchObject({ code: '25006' });
  await close();
});
