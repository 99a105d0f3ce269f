import { expect, it } from '@jest/globals';
import { silentLogger } from '#platform/logging';
import { createPool } from '#platform/postgres';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { eventually } from '../testing/eventually.ts';
import { groundTables, openGround, PAYMENTS, PAYMENTS_AND_TABLES, payment, payments } from '../testing/ground.ts';
import { waitForPosition } from '../waiting/wait-for-position.ts';

const database = databasePerTest(...groundTables);

const SLOW_INDEX = `
  CREATE FUNCTION slowly(value numeric) RETURNS numeric LANGUAGE plpgsql IMMUTABLE AS
    'BEGIN PERFORM pg_sleep(0.7); RETURN value; END';
  CREATE INDEX payments_slowly ON payments (slowly(amount))`;

it.each(['switch', 'hold'] as const)(
  'an index that takes longer than any other statement may is made: %s',
  async (mode) => {
    const pool = createPool({
      url: database.url,
      applicationName: 'test',
      logger: silentLogger,
      statementTimeoutMs: 1_000,
    });
    const ground = database.closing(await openGround(database.url, 10, pool));
    await pool.query(PAYMENTS);
    const running = ground.startAll([PAYMENTS_AND_TABLES]);
    const { position } = await ground.log.append('deposit-1', 'no_stream', [payment('1.50'), payment('2')]);
    expect(await waitForPosition({ ...payments, pool, position, withinMs: 5_000 })).toBe(true);
    await database.pool.query(SLOW_INDEX);
    expect(await running.rebuild('payments', { mode })).toBe('started');
    const left = 'SELECT state, held FROM projection_rebuilds';
    await eventually(
      async () => (await pool.query<{ state: string; held: boolean }>(left)).rows,
      (rows) => rows.every(({ state, held }) => held || state === 'failed'),
    );
    expect((await pool.query(left)).rows).toEqual(mode === 'hold' ? [expect.objectContaining({ held: true })] : []);
  },
  60_000,
);
