import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { databasePerTest } from '../../test/support/with-database.ts';
import { askRescan, migrations, rescanReports } from './index.ts';
import { memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const scriptOf = (name: string) => `0014${Buffer.from(name.padEnd(20)).toString('hex')}`;
const names = ['old', 'shared', 'lost', 'fresh'];
const paymentOf = (name: string) => paymentTo(scriptOf(name), name);

const ask = (from: number, to: number) => askRescan(database.pool, { chain: 'BTC', from, to });

/** All nodes part below what is kept, at the tenth of twenty blocks that were applied. */
const parted = async () => {
  const [a, b] = [memoryNode('a'), memoryNode('b')];
  const watch = watching(database, 'BTC', [a, b], { agree: 2 });
  for (const [nth, name] of names.entries()) await watch.give(scriptOf(name), nth + 1);
  await watch.turn();
  const paidAt = new Map([3, 7, 12].map((height, nth) => [height, names[nth] ?? '']));
  for (let height = 1; height <= 20; height += 1) {
    const name = paidAt.get(height);
    a.mine('all', name === undefined ? [] : [paymentOf(name)]);
  }
  b.follow(a);
  await watch.turns(2);
  await database.pool.query('DELETE FROM chain_blocks WHERE height < (SELECT height FROM chain_tips)');
  const applied = [...a.branch];
  a.branch.splice(10);
  for (let height = 10; height <= 22; height += 1) a.mine('other', height === 11 ? [paymentOf('fresh')] : []);
  const told = async () => (await watch.told()).map(({ type, txid }) => [type, txid]);
  await told();
  return { watch, a, b, applied, told };
};

const heldOf = async ({ watch }: Awaited<ReturnType<typeof parted>>) => (await watch.report())?.held?.reason;

it('a fork below what is kept is taken up where an operator has all read again that lies above', async () => {
  const it = await parted();
  const { watch, a, b, told } = it;
  b.follow(a);
  await watch.turns(3);
  expect([await told(), await heldOf(it)]).toEqual([[], expect.stringContaining('parts below block 20, the first')]);
  await ask(5, 20);
  await watch.rescan();
  expect(await rescanReports(database.pool, 'BTC')).toMatchObject([
    { state: 'open', next_height: 5, held: expect.stringContaining('parts below block 20') },
  ]);
  await watch.turns(2);
  expect((await told()).toSorted()).toEqual([
    ['payment.confirmed', 'fresh'],
    ['payment.reorged', 'lost'],
    ['payment.seen', 'fresh'],
  ]);
  expect(await watch.report()).toMatchObject({ hash: a.branch.at(-1)?.hash, held: null });
  expect(await rescanReports(database.pool, 'BTC')).toMatchObject([{ state: 'done', held: null }]);
});

it.each([
  ['that was asked for before', 5, 20, true],
  ['of some blocks above', 20, 20, false],
  ['that ends below what was applied', 5, 19, false],
])('no rescan says so %s', async (_, from, to, isBefore) => {
  const it = await parted();
  if (isBefore) await ask(from, to);
  it.b.follow(it.a);
  await it.watch.turns(2);
  if (!isBefore) await ask(from, to);
  await it.watch.turns(3);
  expect([await it.told(), await heldOf(it)]).toEqual([[], expect.stringContaining('parts below block 20')]);
});

const heldForOther = () =>
  database.pool.query("UPDATE chain_tips SET held_because = 'its nodes are away', held_since = now()");

it.each([
  ['while the chain was held by something else', 0, heldForOther],
  ['of a release that took none as the word', 2, () => undefined],
])('nor does one that was asked for %s, and one does that is asked for then', async (_, turns, meanwhile) => {
  const it = await parted();
  const { watch, a, b } = it;
  b.follow(a);
  await watch.turns(turns);
  await meanwhile();
  await ask(5, 20);
  await database.pool.query('UPDATE chain_tips SET reason_since = NULL');
  await watch.turns(3);
  expect([await it.told(), await heldOf(it)]).toEqual([[], expect.stringContaining('parts below block 20')]);
  await ask(5, 20);
  await watch.turns(2);
  expect(await watch.report()).toMatchObject({ hash: a.branch.at(-1)?.hash, held: null });
});

it('it is not taken up above a payment of the other branch, which is named', async () => {
  const it = await parted();
  const { watch, a, b, applied } = it;
  b.follow(a);
  await watch.turns(2);
  await ask(15, 20);
  await watch.turns(3);
  const named = `the rescan from 15 begins above block 12 (${applied[12]?.hash})`;
  expect([await it.told(), await heldOf(it)]).toEqual([[], expect.stringContaining(named)]);
  await ask(12, 20);
  await watch.turns(2);
  expect(await it.told()).toContainEqual(['payment.reorged', 'lost']);
  expect(await watch.report()).toMatchObject({ hash: a.branch.at(-1)?.hash, held: null });
});

it('nor is it taken up at the word of one node of two that have to agree', async () => {
  const it = await parted();
  it.b.mine('all');
  await it.watch.turns(2);
  it.b.branch.splice(0, it.b.branch.length, ...it.applied);
  Object.assign(it.b, { tip: () => Promise.reject(new Error('it fails')) });
  await it.watch.turns(2);
  await ask(5, 21);
  await it.watch.turns(3);
  expect(await it.told()).toEqual([]);
  expect((await it.watch.report())?.height).toBeGreaterThanOrEqual(20);
});

it('while it holds the chain that is told once, and the node that is read stays so', async () => {
  const it = await parted();
  const { watch, a, b } = it;
  for (let height = 0; height < 3; height += 1) a.mine('other');
  b.follow(a);
  for (let nth = 0; nth < 10; nth += 1) {
    await watch.turns(2);
    watch.pass(31_000);
  }
  expect(watch.alerts().filter((alert) => alert === 'chain_held')).toHaveLength(1);
});
