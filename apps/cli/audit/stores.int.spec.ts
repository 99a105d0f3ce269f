import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { migrations as ofCounters } from '#counters';
import { migrations as ofDeposits } from '#deposit-commands';
import { migrations as ofLog } from '#event-log/postgres';
import { keepLog, migrations as ofInstances } from '#instances';
import { migrations as ofPartners } from '#partners';
import { migrations as ofReadModels } from '#read-models';
import { startPooler } from '../../../test/support/pooler.ts';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { exit, Failure } from '../parts/exit.ts';
import { isDirect } from './named.ts';
import { openStores } from './stores.ts';

const TABLES = [ofPartners, ofInstances, ofDeposits, ofCounters, ofReadModels];

const [own, bare] = [databasePerTest(...TABLES, ofLog), databasePerTest(...TABLES)];

const NAMES = ['DATABASE_URL', 'EVENTSTORE_URL', 'DATABASE_URL_FILE', 'EVENTSTORE_URL_FILE'] as const;
let directory: string;
let before: readonly (readonly [string, string | undefined])[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cointill stores '));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

beforeEach(() => {
  before = NAMES.map((name) => [name, process.env[name]]);
});

afterEach(() => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

const NOBODY = 'esdb://127.0.0.1:1?tls=false';

const open = async (database: string, eventStore?: string): Promise<void> => {
  process.env.DATABASE_URL = database;
  delete process.env.EVENTSTORE_URL;
  if (eventStore !== undefined) process.env.EVENTSTORE_URL = eventStore;
  await (await openStores()).close();
};

const refused = async (...stores: readonly [string, string?]): Promise<string> => {
  const error = await open(...stores).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Failure);
  expect((error as Failure).code).toBe(exit.usage);
  return (error as Failure).message;
};

it('opens no log of its database where the history is kept elsewhere, whether the database has the tables of one or not', async () => {
  for (const { pool, url } of [own, bare]) {
    await keepLog(pool, 'eventstoredb');
    expect(await refused(url)).toBe(
      'this installation has EVENT_STORE=eventstoredb: set EVENTSTORE_URL as the service has it, beside DATABASE_URL',
    );
    await open(url, NOBODY);
  }
});

it('opens no other log where the history is kept in the database', async () => {
  await keepLog(own.pool, 'postgres');
  expect(await refused(own.url, NOBODY)).toBe(
    'this installation has EVENT_STORE=postgres, its history is in DATABASE_URL: unset EVENTSTORE_URL',
  );
  await open(own.url);
});

it('knows an installation of before by where its history is, and a database with no log by that', async () => {
  await own.pool.query(`INSERT INTO events (stream, revision, id, type, data, metadata)
    VALUES ('deposit-1', 0, gen_random_uuid(), 'one', '{}', '{}')`);
  expect(await refused(own.url, NOBODY)).toContain('unset EVENTSTORE_URL');
  await bare.pool.query('DROP TABLE installation_log');
  expect(await refused(bare.url)).toBe('no event log is in DATABASE_URL: set EVENTSTORE_URL as the service has it');
});

it('says which setting is none that can be used, before anything is opened', async () => {
  expect(await refused('somewhere')).toBe('DATABASE_URL is no URL (postgres://user:password@host:5432/name)');
  await keepLog(bare.pool, 'eventstoredb');
  expect(await refused(bare.url, 'somewhere')).toContain('EVENTSTORE_URL cannot be used: ');
});

const inFile = async (name: string, text: string): Promise<string> => {
  const path = join(directory, name);
  await writeFile(path, text);
  return path;
};

const refusedAsSet = async (): Promise<string> => {
  const error = await openStores().catch((thrown: unknown) => thrown);
  return (error as Failure).message;
};

it('finds the stores in the files that the settings of the service name', async () => {
  delete process.env.DATABASE_URL;
  delete process.env.EVENTSTORE_URL;
  process.env.DATABASE_URL_FILE = await inFile('database', `${own.url}\n`);
  expect(isDirect()).toBe(true);
  await keepLog(own.pool, 'postgres');
  await (await openStores()).close();
  process.env.EVENTSTORE_URL_FILE = await inFile('log', NOBODY);
  expect(await refusedAsSet()).toContain('unset EVENTSTORE_URL');
  process.env.EVENTSTORE_URL_FILE = await inFile('empty', '');
  expect(await refusedAsSet()).toContain('EVENTSTORE_URL_FILE names a file that is empty');
});

const opened = async (url: string) => {
  process.env.DATABASE_URL = url;
  delete process.env.EVENTSTORE_URL;
  return own.closing(await openStores());
};

it('reaches the stores through a pooler, and writes nothing there', async () => {
  const { url } = own.closing(await startPooler(own.url));
  const { log, pool } = await opened(url);
  await expect(pool?.query('CREATE TABLE notes ()')).rejects.toThrow('read-only');
  const event = { id: randomUUID(), type: 'Noted', data: {}, metadata: { occurredAt: '2026-01-01T00:00:00.000Z' } };
  await expect(log.append('notes-1', 'no_stream', [event])).rejects.toThrow('read-only');
  expect((await own.pool.query('SELECT FROM events')).rowCount).toBe(0);
});

it('reads the schema that DATABASE_URL names, as the service does', async () => {
  await own.pool.query('CREATE SCHEMA pay');
  const { pool } = await opened(`${own.url}?options=${encodeURIComponent('-c search_path=pay,public')}`);
  expect((await pool?.query('SHOW search_path'))?.rows).toEqual([{ search_path: 'pay,public' }]);
});
