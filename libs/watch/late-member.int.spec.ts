import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);
const SCRIPT = '0014ab';

it('a name behind which one node is late, and knows no block yet that another told, tells no reorganisation', async () => {
  const node = memoryNode('one');
  let isLate = false;
  const watch = watching(database, 'BTC', [
    { ...node, hashAt: async (height) => (isLate ? undefined : node.hashAt(height)) },
  ]);
  await watch.give(SCRIPT, 1);
  await watch.turn();
  node.mine('all', [paymentTo(SCRIPT, 'paid')]);
  await watch.turns(2);
  expect((await watch.told()).map(({ type }) => type)).toContain('payment.confirmed');
  node.mine('all');
  isLate = true;
  await watch.turns(2).catch(() => undefined);
  isLate = false;
  await watch.turns(2);
  expect((await watch.told()).map(({ type }) => type)).not.toContain('payment.reorged');
  expect(watch.alerts()).toEqual([]);
  expect((await watch.report())?.held).toBeNull();
});
