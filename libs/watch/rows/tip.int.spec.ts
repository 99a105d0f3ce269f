import { expect, it } from '@jest/globals';
import { inTransaction } from '#platform/postgres';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { migrations } from '../index.ts';
import { firstTip, lockTip, moveTip, readTip, TipMoved } from './tip.ts';

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
