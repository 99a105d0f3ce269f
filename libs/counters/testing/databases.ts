import { afterEach, beforeEach } from '@jest/globals';
import { migrations as addressTables } from '#addresses';
import { migrations as commandTables } from '#deposit-commands';
import { migrations as logTables } from '#event-log/postgres';
import { migrations as partnerTables } from '#partners';
import { silentLogger } from '#platform/logging';
import type { Migrations } from '#platform/migrations';
import { createPool } from '#platform/postgres';
import { copyOfDatabase, type FreshDatabase, freshDatabase } from '../../../test/support/database.ts';
import { migrations as ownTables } from '../index.ts';

const tables = [partnerTables, addressTables, commandTables, ownTables];

export type Databases = {
  readonly url: string;
  /** The same one where both are together. */
  readonly logUrl: string;
  readonly emptyLog: () => Promise<string>;
  readonly emptyService: () => Promise<string>;
  /** Of the service's database as it stands. */
  readonly copied: () => Promise<FreshDatabase>;
};

/** For each test a database of the service and its log, in one or in one each; all that was made is dropped after it. */
export const databasesPerTest = (where: 'together' | 'apart'): Databases => {
  let made: FreshDatabase[] = [];
  let [url, logUrl] = ['', ''];

  const kept = (database: FreshDatabase): FreshDatabase => {
    made.push(database);
    return database;
  };
  const empty = async (...of: readonly Migrations[]) => kept(await freshDatabase(...of)).url;
  const emptyLog = () => empty(logTables);
  const emptyService = () => empty(...tables);

  beforeEach(async () => {
    made = [];
    logUrl = where === 'together' ? await empty(logTables, ...tables) : await emptyLog();
    url = where === 'together' ? logUrl : await emptyService();
  });

  afterEach(async () => {
    for (const { drop } of made) await drop();
  });

  return {
    get url() {
      return url;
    },
    get logUrl() {
      return logUrl;
    },
    ...{ emptyLog, emptyService },
    copied: async () => kept(await copyOfDatabase(url)),
  };
};

/** As a server does that was killed or stands by, to which numbers come thirty-two at a time. */
export const skipAhead = async (at: string, sequences: readonly string[]): Promise<void> => {
  const pool = createPool({ url: at, applicationName: 'test', logger: silentLogger });
  for (const sequence of sequences) await pool.query(`SELECT max(nextval('${sequence}')) FROM generate_series(1, 32)`);
  await pool.end();
};

/** Works with one instance, and closes it. */
export const withInstance = async <I extends { readonly close: () => Promise<void> }, T>(
  opened: Promise<I>,
  work: (instance: I) => Promise<T>,
): Promise<T> => {
  const instance = await opened;
  try {
    return await work(instance);
  } finally {
    await instance.close();
  }
};
