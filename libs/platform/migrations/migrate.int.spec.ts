import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts';
import { migrate } from './index.ts';

let database: FreshDatabase;
let directory: string;

beforeEach(async () => {
  database = await freshDatabase();
  directory = await mkdtemp(join(tmpdir(), 'migrations of a lib '));
});

afterEach(async () => {
  await database.drop();
  await rm(directory, { recursive: true });
});

const write = (file: string, up: string) => writeFile(join(directory, file), `-- Up Migration\n${up}\n`);

const run = () => migrate(database.url, { name: 'till', directory });

const query = async (text: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
};

describe('the migrations of a lib', () => {
  it('run in the order of their numbers, each once', async () => {
    await write('001_coins.sql', "CREATE TABLE coins (name text); INSERT INTO coins VALUES ('BTC');");
    expect(await run()).toEqual(['001_coins']);
    await write('002_precision.sql', 'ALTER TABLE coins ADD COLUMN precision int NOT NULL DEFAULT 8;');
    await write('010_rename.sql', 'ALTER TABLE coins RENAME COLUMN precision TO decimals;');
    expect(await run()).toEqual(['002_precision', '010_rename']);
    expect(await run()).toEqual([]);
    expect(await query('SELECT * FROM coins')).toEqual([{ name: 'BTC', decimals: 8 }]);
  });

  it('keep the progress of each lib apart', async () => {
    await write('001_coins.sql', 'CREATE TABLE IF NOT EXISTS coins (name text);');
    await run();
    expect(await migrate(database.url, { name: 'other', directory })).toEqual(['001_coins']);
    expect(await query('SELECT name FROM migrations_till')).toEqual(await query('SELECT name FROM migrations_other'));
  });

  it('run once when several processes start together', async () => {
    await write('001_coins.sql', "CREATE TABLE coins (name text); INSERT INTO coins VALUES ('BTC');");
    await write('002_more.sql', "SELECT pg_sleep(0.1); INSERT INTO coins VALUES ('LTC');");
    const ran = await Promise.all([run(), run(), run(), run()]);
    expect(ran.filter((names) => names.length > 0)).toEqual([['001_coins', '002_more']]);
    expect(await query('SELECT name FROM coins ORDER BY name')).toEqual([{ name: 'BTC' }, { name: 'LTC' }]);
  });

  it('leave nothing of a file that fails, and name the file and the cause', async () => {
    await write('001_coins.sql', 'CREATE TABLE coins (name text);');
    await write('002_broken.sql', 'CREATE TABLE half (name text); INSERT INTO nowhere VALUES (1);');
    await expect(run()).rejects.toThrow(/002_broken\.sql failed: relation "nowhere" does not exist/);
    expect(await query("SELECT to_regclass('coins') AS coins, to_regclass('half') AS half")).toEqual([
      { coins: 'coins', half: null },
    ]);
    await write('002_broken.sql', 'CREATE TABLE half (name text);');
    expect(await run()).toEqual(['002_broken']);
  });

  it('say which directory cannot be read', async () => {
    const missing = migrate(database.url, { name: 'till', directory: join(directory, 'none') });
    await expect(missing).rejects.toThrow(/the migrations of till cannot be read: .*none/);
  });
});
