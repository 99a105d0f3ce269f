import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type pg from 'pg';
import { silentLogger } from '#platform/logging';
import type { Migrations } from '#platform/migrations';
import { createPool } from '#platform/postgres';
import { type FreshDatabase, keptAdministration } from './database.ts';

type Ending = () => unknown;

export type TestDatabase = {
  readonly url: string;
  /** Opened by its first use. */
  readonly pool: pg.Pool;
  /** Before the database goes; what was begun last ends first. */
  readonly atEnd: (end: Ending) => void;
  /** The same for what has a `close`, which a test may call before. */
  readonly closing: <T extends { readonly close: () => Promise<void> }>(one: T) => T;
};

type Hook = (work: () => Promise<void>) => void;

const databaseAround = (before: Hook, after: Hook, tables: readonly Migrations[]): TestDatabase => {
  const administration = keptAdministration();
  let database: FreshDatabase | undefined;
  let pool: pg.Pool | undefined;
  let endings: Ending[] = [];
  before(async () => {
    [pool, endings] = [undefined, []];
    database = await administration.fresh(...tables);
  });
  after(async () => {
    for (const end of endings.toReversed()) await end();
    await database?.drop();
  });
  // Behind the hook before, which is another one where a file has one database.
  afterAll(administration.end);
  const atEnd = (end: Ending): void => {
    endings.push(end);
  };
  const url = (): string => {
    if (!database) throw new Error('the database is not there yet: it comes with a hook');
    return database.url;
  };
  const openPool = (): pg.Pool => {
    const opened = createPool({ url: url(), applicationName: 'test', logger: silentLogger });
    atEnd(() => opened.end());
    return opened;
  };
  return {
    get url() {
      return url();
    },
    get pool() {
      pool ??= openPool();
      return pool;
    },
    atEnd,
    closing: (one) => {
      let closed: Promise<void> | undefined;
      const close = (): Promise<void> => {
        closed ??= one.close();
        return closed;
      };
      atEnd(close);
      return { ...one, close };
    },
  };
};

/** A database for each test, with the tables that these migrations make. */
export const databasePerTest = (...tables: readonly Migrations[]): TestDatabase =>
  databaseAround(beforeEach, afterEach, tables);

/** One for all tests of a file. */
export const databasePerFile = (...tables: readonly Migrations[]): TestDatabase =>
  databaseAround(beforeAll, afterAll, tables);
