import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts';
import { migrate, type Patience } from './index.ts';

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

const run = (patience: Patience = {}) => migrate(database.url, { name: 'till', directory }, patience);

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

  it('wait for each other for longer than for a table', async () => {
    await write('001_coins.sql', 'CREATE TABLE coins (name text); SELECT pg_sleep(0.5);');
    const ran = await Promise.all([run({ lockMs: 50 }), run({ lockMs: 50 }), run({ lockMs: 50 })]);
    expect(ran.filter((names) => names.length > 0)).toEqual([['001_coins']]);
  });

  it('say which directory cannot be read', async () => {
    const missing = migrate(database.url, { name: 'till', directory: join(directory, 'none') });
    await expect(missing).rejects.toThrow(/the migrations of till cannot be read: .*none/);
  });
});

/** As a dump does, or a proof that reads for long. */
const holdCoins = async () => {
  const client = new pg.Client({ connectionString: database.url, application_name: 'a dump' });
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT   name\nFROM coins');
  return { release: () => client.query('COMMIT'), end: () => client.end() };
};

describe('a table that somebody holds', () => {
  beforeEach(async () => {
    await write('001_coins.sql', 'CREATE TABLE coins (name text); CREATE TABLE notes (name text);');
    await run();
    await write('002_notes.sql', 'ALTER TABLE notes ADD COLUMN note text;');
    await write('003_coins.sql', 'CREATE TABLE half (name text); ALTER TABLE coins ADD COLUMN decimals int;');
  });

  it('is waited for a little at a time, so that its readers get on, until it is let go', async () => {
    const holder = await holdCoins();
    try {
      const held: string[] = [];
      const running = run({ lockMs: 200, firstPauseMs: 300, onHeld: (line) => held.push(line) });
      for (let times = 1; times <= 30; times += 1) {
        await query("SET statement_timeout = '2s'; SELECT name FROM coins");
        await setTimeout(50);
      }
      await holder.release();
      expect(await running).toEqual(['002_notes', '003_coins']);
      expect(held.at(-1)).toMatch(/003_coins\.sql waits: coins is held by pid \d+ \(a dump: SELECT name FROM coins\)$/);
    } finally {
      await holder.end();
    }
  }, 20_000);

  it('ends what waits for it for too long, which says who holds it', async () => {
    const holder = await holdCoins();
    try {
      await expect(run({ lockMs: 400, firstPauseMs: 20, mostMs: 1_000 })).rejects.toThrow(
        /003_coins\.sql failed: canceling statement due to lock timeout: coins is held by pid \d+ \(a dump: SELECT name FROM coins\)$/,
      );
      expect(await query("SELECT to_regclass('half') AS half")).toEqual([{ half: null }]);
    } finally {
      await holder.end();
    }
    expect(await run()).toEqual(['003_coins']);
  }, 20_000);
});
