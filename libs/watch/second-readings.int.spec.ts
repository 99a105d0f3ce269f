import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { type ChainBlock, NodeUnreachable } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { askRescan, migrations, rescanReports } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0x${'ab'.repeat(20)}`;
const PAID = 1;

/** A payment in the first block that all of them show, confirmed; then some of them show it without. */
const paidOn = async (nodes: readonly [MemoryNode, ...MemoryNode[]], agree: number) => {
  const [first, ...others] = nodes;
  const watch = watching(database, 'ETH', nodes, { agree });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  const mine = async (...payments: Parameters<MemoryNode['mine']>[1] & object) => {
    first.mine('all', payments);
    for (const other of others) other.branch.push(...first.branch.slice(other.branch.length));
    await watch.turns(2);
  };
  const told = async () => (await watch.told()).map(({ type }) => type);
  const withIt = first.branch.length;
  await mine(paymentTo(SCRIPT, 'paid'));
  expect(await told()).toEqual(['payment.seen', 'payment.confirmed']);
  const [block] = first.branch.slice(withIt);
  const lose = (...liars: readonly MemoryNode[]) => {
    for (const { branch } of liars) if (block) branch[PAID] = { ...block, transactions: [] };
  };
  const find = (...liars: readonly MemoryNode[]) => {
    for (const { branch } of liars) if (block) branch[PAID] = block;
  };
  const untilAudited = async () => {
    for (let nth = 0; nth < 6; nth += 1) await mine();
  };
  return { watch, told, lose, find, untilAudited };
};

const proven = (block: ChainBlock): ChainBlock => ({ ...block, isProven: true });

const some = (count: 1 | 2 | 3) => {
  const all = [memoryNode('a'), memoryNode('b'), memoryNode('c')] as const;
  return { ...{ a: all[0], b: all[1], c: all[2] }, nodes: all.slice(0, count) as [MemoryNode, ...MemoryNode[]] };
};

it.each([
  [3, 3],
  [1, 3],
  [2, 2],
  [1, 2],
] as const)(
  'one node that shows a block without a payment undoes nothing, where %i of %i have to agree, and somebody is told',
  async (agree, count) => {
    const { b, nodes } = some(count);
    const { watch, told, lose, find, untilAudited } = await paidOn(nodes, agree);
    lose(b);
    await untilAudited();
    watch.pass(3 * 3_600_000);
    await watch.turns(3);
    expect(await told()).toEqual([]);
    expect(watch.alerts()).toEqual(['chain_held']);
    expect(await watch.report()).toMatchObject({
      ...{ height: 7, audited_height: 0 },
      held: {
        reason: expect.stringMatching(`^b shows in block 1 .* \\(first paid\\); 1 of ${count} nodes show it so`),
      },
    });
    find(b);
    await watch.turns(2);
    expect([await told(), watch.alerts()]).toEqual([[], ['chain_held']]);
    expect(await watch.report()).toMatchObject({ audited_height: 2, held: null });
  },
);

it.each([
  ['as many as have to agree, undo it', 2, ['payment.reorged']],
  ['fewer than have to agree, undo nothing', 3, []],
] as const)('two of three nodes that show a block without a payment, %s', async (_, agree, said) => {
  const { b, c, nodes } = some(3);
  const { watch, told, lose, untilAudited } = await paidOn(nodes, agree);
  lose(b, c);
  await untilAudited();
  expect(await told()).toEqual(said);
  expect(watch.alerts()).toEqual([said.length > 0 ? 'chain_healed' : 'chain_held']);
});

it('one that nobody contradicts is waited with until more are there, and told of when that lasts', async () => {
  const { a, nodes } = some(2);
  const { watch, told, untilAudited } = await paidOn(nodes, 2);
  await database.pool.query('DELETE FROM chain_payments');
  a.lacks.set(PAID, new NodeUnreachable('a does not answer'));
  await untilAudited();
  expect([await told(), (await watch.report())?.held]).toEqual([[], null]);
  watch.pass(31_000);
  await watch.turn();
  expect(await watch.report()).toMatchObject({ held: { reason: expect.stringContaining('1 of 1 nodes') } });
  a.lacks.delete(PAID);
  await watch.tryAgain();
  await watch.turns(2);
  expect(await told()).toEqual(['payment.seen', 'payment.confirmed']);
  expect(await watch.report()).toMatchObject({ audited_height: 2, held: null });
});

it('one that its bytes prove needs no other node to show it', async () => {
  const { a, b, nodes } = some(2);
  const { watch, told, untilAudited } = await paidOn(nodes, 2);
  await database.pool.query('DELETE FROM chain_payments');
  for (const { branch } of [a, b]) branch.splice(PAID, 1, ...branch.slice(PAID, PAID + 1).map(proven));
  a.lacks.set(PAID, undefined);
  await untilAudited();
  expect([await told(), watch.alerts()]).toEqual([['payment.seen', 'payment.confirmed'], ['chain_healed']]);
});

/** It keeps its newest blocks alone. */
const pruned = (node: MemoryNode): MemoryNode => ({
  ...node,
  tip: async () => {
    const tip = await node.tip();
    return { ...tip, prunedBelow: Math.max(0, tip.height - 2) };
  },
});

it.each([
  ['says that it keeps none so old', 2, pruned],
  ['has not got it', 3, (b: MemoryNode) => b],
] as const)('where the first witness %s another one is asked, or else the node that is read', async (_, count, as) => {
  const { a, b, nodes } = some(count);
  const [first, second, ...others] = nodes;
  if (!first || !second) throw new Error('there are too few nodes');
  const { watch, untilAudited } = await paidOn([first, as(second), ...others], 1);
  b.lacks.set(PAID, undefined);
  await untilAudited();
  expect(await watch.report()).toMatchObject({ height: a.branch.length - 1, audited_height: 2, held: null });
  expect(watch.alerts()).toEqual([]);
});

it('one that no node gives is told of when that lasts, and read once a node has it', async () => {
  const { a, b, nodes } = some(2);
  const { watch, untilAudited } = await paidOn(nodes, 1);
  for (const { lacks } of [a, b]) lacks.set(PAID, undefined);
  await untilAudited();
  expect(await watch.report()).toMatchObject({ audited_height: 0, held: null });
  watch.pass(31_000);
  await watch.turns(2);
  expect(await watch.report()).toMatchObject({
    ...{ height: 7, audited_height: 0 },
    held: { reason: 'block 1 cannot be read a second time: a does not give it; b does not give it' },
  });
  expect(watch.alerts()).toEqual(['chain_held']);
  b.lacks.clear();
  await watch.turns(2);
  expect(await watch.report()).toMatchObject({ audited_height: 2, held: null });
});

it('a witness that is merely behind is waited for', async () => {
  const { a, b, nodes } = some(2);
  const { watch, untilAudited } = await paidOn(nodes, 1);
  await untilAudited();
  for (let height = 8; height <= 16; height += 1) a.mine('all');
  await watch.turns(2);
  expect(await watch.report()).toMatchObject({ height: 16, audited_height: 7 });
  b.follow(a);
  await watch.turn();
  expect(await watch.report()).toMatchObject({ audited_height: 11, held: null });
});

it('a rescan believes no single node either, and goes on with one that the others do not contradict', async () => {
  const { a, b, nodes } = some(3);
  const { watch, told, lose } = await paidOn(nodes, 1);
  a.lacks.set(PAID, undefined);
  lose(b);
  await askRescan(database.pool, { chain: 'ETH', from: PAID, to: PAID });
  await watch.rescan();
  expect(await told()).toEqual([]);
  expect(await rescanReports(database.pool, 'ETH')).toMatchObject([{ state: 'done', passed: 0, found: 0 }]);
});

it.each(['a second reading', 'a rescan'])(
  'what %s finds in a block whose clock runs ahead was seen now at the latest',
  async (how) => {
    const { a, nodes } = some(1);
    const { watch, untilAudited } = await paidOn(nodes, 1);
    await database.pool.query('DELETE FROM chain_payments');
    const ahead = Math.floor(Date.now() / 1_000) + 5_400;
    a.branch.splice(PAID, 1, ...a.branch.slice(PAID, PAID + 1).map((block) => ({ ...block, time: ahead })));
    if (how === 'a rescan') {
      await askRescan(database.pool, { chain: 'ETH', from: PAID, to: PAID });
      await watch.rescan();
    } else await untilAudited();
    const [seen] = await watch.told();
    expect(seen?.type).toBe('payment.seen');
    expect(Date.parse(String(seen?.at))).toBeLessThanOrEqual(Date.now());
  },
);
