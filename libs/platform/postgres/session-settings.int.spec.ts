import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { silentLogger } from '../logging/index.ts';
import { migrate } from '../migrations/index.ts';
import { createPool, openConnection } from './index.ts';

const database = databasePerTest();

/** As for an older application on the same server. */
const STRANGE = [
  'datestyle = SQL, DMY',
  'intervalstyle = iso_8601',
  'standard_conforming_strings = off',
  'array_nulls = off',
];

const asStranger = async (): Promise<void> => {
  const name = new URL(database.url).pathname.slice(1);
  for (const setting of STRANGE) await database.pool.query(`ALTER DATABASE ${name} SET ${setting}`);
};

const MOMENT = new Date('2026-02-11T10:20:30.400Z');
const ASKED = `SELECT $1::timestamptz AS moment, '\\d' AS pattern, '{NULL}'::text[] AS list`;
const READ = { moment: MOMENT, pattern: '\\d', list: [null] };

describe('A database with settings of somebody else', () => {
  it('is read by a pool as any', async () => {
    await asStranger();
    const pool = createPool({ applicationName: 'test', logger: silentLogger, url: database.url });
    expect((await pool.query(ASKED, [MOMENT])).rows).toEqual([READ]);
    await pool.end();
  });

  it('is read by a connection beside a pool as any', async () => {
    await asStranger();
    const pool = createPool({ applicationName: 'test', logger: silentLogger, url: database.url });
    const connection = await openConnection(pool, 'beside');
    expect((await connection.client.query(ASKED, [MOMENT])).rows).toEqual([READ]);
    await connection.close();
    await pool.end();
  });

  it('is brought to the newest schema as any', async () => {
    await asStranger();
    const directory = await mkdtemp(join(tmpdir(), 'cointill-strange-'));
    await writeFile(join(directory, '0001_digits.sql'), `CREATE TABLE digits (text text CHECK (text ~ '^\\d+$'));`);
    await migrate(database.url, { name: 'strange', directory });
    await database.pool.query(`INSERT INTO digits VALUES ('12')`);
    await rm(directory, { recursive: true });
  });
});
