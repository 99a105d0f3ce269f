import { expect, it } from '@jest/globals';
import { inTransaction } from '#platform/postgres';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { migrations } from '../index.ts';
import { dependencesIn, dependOn } from './inputs.ts';

const database = databasePerTest(migrations);

it('what one payment depends on is found without reading what thousands of others do', async () => {
  const { pool } = database;
  await pool.query(`
    INSERT INTO chain_payment_inputs (chain, outpoint, txid, via)
    SELECT 'BTC', md5(n::text) || ':0', 'payment ' || n % 5000, 'payment ' || n % 5000 FROM generate_series(1, 20000) AS n`);
  await dependOn(pool, 'BTC', 'paid', [{ outpoint: 'coin:0', via: 'paid' }]);
  await pool.query('ANALYZE chain_payment_inputs');
  const read = await inTransaction(pool, async (db) => {
    const readSoFar = async () =>
      Number(
        (
          await db.query<{ read: string }>(
            `SELECT seq_tup_read + idx_tup_fetch AS read FROM pg_stat_xact_user_tables WHERE relname = 'chain_payment_inputs'`,
          )
        ).rows[0]?.read,
      );
    const before = await readSoFar();
    expect(await dependencesIn(db, 'BTC', ['paid'])).toEqual([{ txid: 'paid', outpoint: 'coin:0', via: 'paid' }]);
    return (await readSoFar()) - before;
  });
  expect(read).toBeLessThan(10);
});
