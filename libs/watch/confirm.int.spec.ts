import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;
const OTHER = `0014${'cd'.repeat(20)}`;

it('what is paid in many outputs waits for as many blocks as one of their sum, and nobody else does', async () => {
  const node = memoryNode('one');
  const confirmations = [
    { from: 0n, need: 1 },
    { from: 500_000n, need: 3 },
  ];
  const watch = watching(database, 'BTC', [node], { confirmations });
  await watch.give(SCRIPT, 1);
  await watch.give(OTHER, 2);
  await watch.turn();
  const outputs = Array.from({ length: 10 }, (_, vout) => ({ vout, script: SCRIPT, amount: 50_000n }));
  node.mine('all', [{ ...paymentTo(SCRIPT, 'many'), outputs }, paymentTo(OTHER, 'one')]);
  const confirmed = async () =>
    (await watch.told()).flatMap(({ type, deposit_id: id, confirmations: deep }) =>
      type === 'payment.confirmed' ? [[id, deep]] : [],
    );
  await watch.turn();
  expect(await confirmed()).toEqual([[2, 1]]);
  node.mine('all');
  await watch.turn();
  expect(await confirmed()).toEqual([]);
  node.mine('all');
  await watch.turn();
  expect(await confirmed()).toEqual(outputs.map(() => [1, 3]));
});
