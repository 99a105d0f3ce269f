import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;

it('an output of nothing is told by no setting of dust', async () => {
  const node = memoryNode('one');
  const watch = watching(database, 'BTC', [node], { dust: 0n });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  const outputs = [0n, 1n].map((amount, vout) => ({ vout, script: SCRIPT, amount }));
  node.pool.set('paid', { ...paymentTo(SCRIPT, 'paid'), outputs });
  await watch.turn();
  expect((await watch.told()).map(({ amount }) => amount)).toEqual(['0.00000001']);
});
