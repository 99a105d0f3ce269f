import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import type { ChainBlock } from '#chains';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { migrations } from '../index.ts';
import { contradictionIn } from './check-gains.ts';

const database = databasePerTest(...addressesTables, migrations);

const [ours, another] = [`0x${'dd'.repeat(20)}`, `0x${'ee'.repeat(20)}`];

const inBlockWith = (script: string): Promise<string | undefined> => {
  const open = { txid: 'swept', script, amount: undefined, isOpen: true };
  const block: ChainBlock = { hash: 'b1', parent: 'b0', time: 1, transactions: [], gains: [open] };
  return contradictionIn(database.pool, { coin: 'ETH' }, block, []);
};

it('a block in which nothing tells what an address came to is held where somebody has that, and nowhere else', async () => {
  await database.pool.query(
    `INSERT INTO pool_addresses (currency, address, address_key, script, source, deposit_id, taken_at)
     VALUES ('ETH', $1, $1, $1, 'added', 1, now())`,
    [ours],
  );
  expect(await inBlockWith(ours)).toContain(`swept contradicts the state in what ${ours} came to`);
  expect(await inBlockWith(another)).toBeUndefined();
});
