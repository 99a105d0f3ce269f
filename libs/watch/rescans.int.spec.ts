import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { NodeRefused, NodeUnreachable } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { askRescan, migrations, rescanReports, takeBackRescan } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;

/** Ten blocks that were applied before anybody knew whose the payment in the fifth is. */
const followed = async (first: MemoryNode, ...others: readonly MemoryNode[]) => {
  const watch = watching(database, 'BTC', [first, ...others]);
  await watch.turn();
  for (let height = 1; height <= 10; height += 1) first.mine('all', height === 5 ? [paymentTo(SCRIPT, 'paid')] : []);
  for (const other of others) other.follow(first);
  await watch.turn();
  await watch.told();
  await watch.give(SCRIPT, 1);
  return watch;
};

const ask = (from: number, to: number) => askRescan(database.pool, { chain: 'BTC', from, to });
const reports = () => rescanReports(database.pool, 'BTC');

it('a rescan passes what no node has, tells it once, and lets the next one come', async () => {
  const node = memoryNode('pruned');
  const watch = await followed(node);
  node.lacks.set(2, undefined);
  node.lacks.set(3, new NodeRefused('trace', -32_000, 'missing trie node'));
  await ask(1, 5);
  await ask(6, 8);
  await watch.rescan();
  await watch.rescan();
  expect(await reports()).toMatchObject([
    { from_height: 6, state: 'done', passed: 0, problem: null },
    { from_height: 1, state: 'done', passed: 2, found: 1, problem: expect.stringContaining('block 2') },
  ]);
  expect(watch.alerts().filter((alert) => alert === 'chain_rescan_incomplete')).toHaveLength(1);
  expect((await watch.told()).map(({ type }) => type)).toContain('payment.seen');
  expect(await watch.report()).toMatchObject({ held: null, rescans: 0 });
});

it('a rescan up to the largest height that can be asked for ends, and is listed', async () => {
  const watch = await followed(memoryNode('one'));
  await ask(5, Number.MAX_SAFE_INTEGER);
  for (let nth = 0; nth < 3; nth += 1) await watch.rescan();
  const listed = [{ state: 'done', found: 1, to_height: Number.MAX_SAFE_INTEGER }];
  expect(await reports()).toMatchObject(listed);
  // As the release before left it.
  await database.pool.query('UPDATE chain_rescans SET next_height = to_height + 1');
  expect(await reports()).toMatchObject(listed);
});

it('what the node that is read has not got comes from another', async () => {
  const [pruned, full] = [memoryNode('pruned'), memoryNode('full')];
  const watch = await followed(pruned, full);
  pruned.lacks.set(5, undefined);
  await ask(5, 5);
  await watch.rescan();
  expect(await reports()).toMatchObject([{ state: 'done', passed: 0, found: 1 }]);
});

it('a node that may have a block is waited for, while other ranges go on', async () => {
  const [pruned, away] = [memoryNode('pruned'), memoryNode('away')];
  const watch = await followed(pruned, away);
  pruned.lacks.set(2, undefined);
  away.lacks.set(2, new NodeUnreachable('away does not answer'));
  await ask(2, 3);
  await ask(5, 5);
  for (let nth = 0; nth < 3; nth += 1) await watch.rescan();
  expect(await reports()).toMatchObject([
    { state: 'done', found: 1 },
    { state: 'open', next_height: 2, passed: 0 },
  ]);
  for (let nth = 0; nth < 11; nth += 1) {
    watch.pass(60_000);
    await watch.rescan();
  }
  expect(await reports()).toMatchObject([{ state: 'done' }, { state: 'done', passed: 1 }]);
});

it('a node of another network undoes nothing', async () => {
  const good = memoryNode('good');
  const wrong = { ...memoryNode('wrong'), check: async () => 'its first block is of another network' };
  const watch = watching(database, 'BTC', [good, wrong]);
  await watch.turn();
  await watch.give(SCRIPT, 1);
  for (let height = 1; height <= 10; height += 1) {
    good.mine('all', height === 5 ? [paymentTo(SCRIPT, 'paid')] : []);
    wrong.mine('testnet');
  }
  await watch.turns(3);
  expect((await watch.told()).map(({ type }) => type)).toEqual(['payment.seen', 'payment.confirmed']);
  // So deep that nothing is kept of it, and pruned since.
  await database.pool.query('DELETE FROM chain_blocks WHERE height <= 6');
  good.lacks.set(5, undefined);
  await ask(5, 5);
  await watch.rescan();
  expect(await watch.told()).toEqual([]);
  expect(await reports()).toMatchObject([
    { state: 'done', passed: 1, problem: expect.stringContaining('wrong is wrong') },
  ]);
});

it('a chain that stands still for a while has its old blocks all the same', async () => {
  const watch = await followed(memoryNode('one'));
  await database.pool.query('DELETE FROM chain_blocks WHERE height <= 6');
  watch.pass(2 * 86_400_000);
  await watch.turn();
  await ask(1, 6);
  await watch.rescan();
  expect(await reports()).toMatchObject([{ state: 'done', passed: 0, found: 1 }]);
});

it('so deep that nothing is kept, a block is believed once as many nodes have it as have to agree', async () => {
  const [first, second] = [memoryNode('first'), memoryNode('second')];
  const watch = watching(database, 'BTC', [first, second], { agree: 2 });
  await watch.turn();
  await watch.give(SCRIPT, 1);
  for (let height = 1; height <= 10; height += 1) first.mine('all', height === 5 ? [paymentTo(SCRIPT, 'paid')] : []);
  second.follow(first);
  await watch.turns(3);
  await watch.told();
  await database.pool.query('DELETE FROM chain_blocks WHERE height <= 6');
  first.branch[5] = { hash: 'a block of its own', parent: '', time: 1, transactions: [] };
  await ask(5, 5);
  await watch.rescan();
  expect(await watch.told()).toEqual([]);
  expect(await reports()).toMatchObject([{ state: 'open', passed: 0 }]);
  second.branch[5] = { hash: 'a block of its own', parent: '', time: 1, transactions: [] };
  await watch.rescan();
  expect((await watch.told()).map(({ type }) => type)).toEqual(['payment.reorged']);
});

it('a rescan goes on while no node gives the next block', async () => {
  const node = memoryNode('one');
  const watch = await followed(node);
  node.mine('all');
  node.lacks.set(11, new NodeRefused('trace', -32_000, 'missing trie node'));
  await watch.turn();
  expect(await watch.report()).toMatchObject({ height: 10, held: { reason: expect.stringContaining('block 11') } });
  await ask(5, 5);
  await watch.rescan();
  expect(await reports()).toMatchObject([{ state: 'done', found: 1 }]);
});

it('one that is taken back is over', async () => {
  const watch = await followed(memoryNode('one'));
  const id = await ask(1, 1_000_000);
  expect(await takeBackRescan(database.pool, 'BTC', id)).toMatchObject({ state: 'taken_back' });
  expect([await takeBackRescan(database.pool, 'BTC', id), await takeBackRescan(database.pool, 'LTC', id)]).toEqual([
    'ended',
    'unknown',
  ]);
  await watch.rescan();
  expect(await reports()).toMatchObject([{ state: 'taken_back', next_height: 1 }]);
});

it('a block that is given up while it is read again is no contradiction between nodes, and is not passed', async () => {
  const [one, other] = [memoryNode('one'), memoryNode('other')];
  const watch = watching(database, 'BTC', [one, other], { agree: 2 });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  one.mine('all', [paymentTo(SCRIPT, 'paid')]);
  other.follow(one);
  await watch.turn();
  const { block } = other;
  Object.assign(other, {
    block: async (hash: string) => {
      const asked = await block(hash);
      Object.assign(other, { block });
      one.branch.splice(1);
      one.mine('new');
      one.mine('new');
      other.follow(one);
      await watch.turns(2);
      return asked;
    },
  });
  await ask(1, 1);
  await watch.rescan();
  expect(await watch.report()).toMatchObject({ height: 2, held: null });
  await watch.rescan();
  expect(await reports()).toMatchObject([{ state: 'done', passed: 0, problem: null }]);
});
