import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);
const SCRIPT = `0014${'ab'.repeat(20)}`;

it('a watcher that was replaced in the middle of a turn passes nothing that the other gave up', async () => {
  const [node, two] = [memoryNode('one'), memoryNode('two')];
  let meanwhile: (() => Promise<void>) | undefined;
  const slow: typeof node = {
    ...node,
    hashAt: async (height) => {
      const hash = await node.hashAt(height);
      await meanwhile?.();
      return hash;
    },
  };
  const options = { isFast: async () => true, agree: 2, confirmations: [{ from: 0n, need: 3 }] };
  const first = watching(database, 'BTC', [slow, two], options);
  const second = watching(database, 'BTC', [node, two], options);
  await first.give(SCRIPT, 1);
  await first.turn();
  const paid = paymentTo(SCRIPT, 'paid');
  node.mine('a', [paid]);
  two.follow(node);
  meanwhile = async () => {
    const report = await second.report();
    if (report?.height !== 1 || report.unconfirmed !== 1) return;
    meanwhile = undefined;
    // Another took over, and the chain gave the block up: one of two nodes has the payment waiting, the other has not.
    node.branch.pop();
    node.mine('b');
    node.mine('b');
    two.follow(node);
    node.pool.set('paid', paid);
    await second.turns(2);
    await second.told();
  };
  await first.turn();
  expect(meanwhile).toBeUndefined();
  expect(await second.told()).toEqual([]);
});

it('a watcher that was replaced in a second reading says nothing of blocks that the other gave up', async () => {
  const node = memoryNode('one');
  let meanwhile: (() => Promise<void>) | undefined;
  const slow: typeof node = {
    ...node,
    block: async (hash) => {
      const block = await node.block(hash);
      if (hash === node.branch[2]?.hash) await meanwhile?.();
      return block;
    },
  };
  const [first, second] = [watching(database, 'BTC', [slow]), watching(database, 'BTC', [node])];
  await first.turn();
  for (let nth = 0; nth < 7; nth += 1) node.mine('a');
  meanwhile = async () => {
    if ((await second.report())?.height !== 7) return;
    meanwhile = undefined;
    node.branch.splice(2);
    node.mine('b');
    node.mine('b');
    await second.turns(2);
  };
  await first.turn();
  expect(meanwhile).toBeUndefined();
  expect(await second.report()).toMatchObject({ height: 3, audited_height: 1 });
});
