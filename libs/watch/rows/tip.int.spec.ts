import { expect, it } from '@jest/globals';
import { inTransaction } from '#platform/postgres';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { migrations } from '../index.ts';
import { firstTip, keepBlock, keepInstead, keptHash, lockTip, moveTip, readTip, TipMoved } from './tip.ts';

const database = databasePerTest(migrations);

const block = (name: string, height: number) => ({ hash: name, height, time: 1_700_000_000 + height });

it('lets one of two pass who apply a block behind the same one', async () => {
  const { pool } = database;
  await firstTip(pool, 'BTC', block('a', 100));
  const apply = () => inTransaction(pool, (db) => moveTip(db, 'BTC', 'a', block('b', 101)));
  const [one, other] = await Promise.allSettled([apply(), apply()]);
  const refused = [one, other].filter(({ status }) => status === 'rejected');
  expect(refused).toMatchObject([{ reason: expect.any(TipMoved) }]);
  expect(await readTip(pool, 'BTC')).toMatchObject({ hash: 'b', height: 101 });
});

it('lets nothing be done on a tip that has moved', async () => {
  const { pool } = database;
  await firstTip(pool, 'BTC', block('a', 100));
  await moveTip(pool, 'BTC', 'a', block('b', 101));
  await expect(lockTip(pool, 'BTC', 'a')).rejects.toThrow(TipMoved);
  await expect(lockTip(pool, 'BTC', 'b')).resolves.toBeUndefined();
});

it('begins once, wherever the node stands later', async () => {
  const { pool } = database;
  await firstTip(pool, 'BTC', block('a', 100));
  await firstTip(pool, 'BTC', block('z', 900));
  expect(await readTip(pool, 'BTC')).toMatchObject({ hash: 'a', height: 100 });
});

it('keeps another block only below the first that was applied', async () => {
  const { pool } = database;
  const before = [97, 99].map((height) => block('made up', height));
  await firstTip(pool, 'BTC', block('a', 100), before);
  for (const [from, next] of [
    ['a', block('b', 101)],
    ['b', block('c', 102)],
  ] as const)
    await inTransaction(pool, async (db) => {
      await moveTip(db, 'BTC', from, next);
      await keepBlock(db, 'BTC', next);
    });
  for (let height = 97; height <= 102; height += 1) await keepInstead(pool, 'BTC', block('other', height));
  const heights = [97, 98, 99, 100, 101, 102];
  const kept = await Promise.all(heights.map((height) => keptHash(pool, 'BTC', height)));
  expect(kept).toEqual(['other', 'other', 'other', 'a', 'b', 'c']);
});

it('keeps another block once more where nobody knows since when one is there, but for the newest', async () => {
  const { pool } = database;
  await firstTip(pool, 'BTC', block('a', 100));
  await keepInstead(pool, 'BTC', block('one', 99));
  await keepInstead(pool, 'BTC', block('other', 99));
  await pool.query('UPDATE chain_blocks SET applied_at = NULL');
  await keepInstead(pool, 'BTC', block('other', 100));
  expect([await keptHash(pool, 'BTC', 99), await keptHash(pool, 'BTC', 100)]).toEqual(['other', 'a']);
});
