import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

it('fast deposits that a contract pays in one transaction are judged each for itself', async () => {
  const node = memoryNode('one');
  const scripts = ['aa', 'bb', 'cc'].map((each) => `0x${each.repeat(20)}`);
  const watch = watching(database, 'ETH', [node], {
    ...{ isFast: async () => true, confirmations: [{ from: 0n, need: 6 }] },
  });
  for (const [nth, script] of scripts.entries()) await watch.give(script, nth + 1);
  await watch.turn();
  const outputs = scripts.map((script) => ({ vout: 1, script, amount: 70_000n }));
  node.mine('all', [{ ...paymentTo('', `0x${'12'.repeat(32)}`), outputs }]);
  await watch.turns(2);
  const judged = (await watch.told()).filter(({ type }) => type === 'guards.completed');
  expect(judged.map(({ deposit_id, passed }) => [deposit_id, passed])).toEqual([
    [1, true],
    [2, true],
    [3, true],
  ]);
  expect(new Set(judged.map(({ signal_id }) => signal_id)).size).toBe(3);
});
