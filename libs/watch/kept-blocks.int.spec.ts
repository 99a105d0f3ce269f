import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { NodeUnreachable } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { askRescan, migrations, rescanReports } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { type Watching, watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;
const paid = paymentTo(SCRIPT, 'paid');
const SEEN_AND_CONFIRMED = ['payment.seen', 'payment.confirmed'];

const heard = async (watch: Watching) => (await watch.told()).map(({ type }) => type);
const kept = async () =>
  (await database.pool.query<{ count: number }>('SELECT count(*)::int AS count FROM chain_blocks')).rows[0]?.count;

const grown = (node: MemoryNode, ...others: readonly MemoryNode[]): void => {
  for (let nth = 0; nth < 300; nth += 1) node.mine('all');
  for (const other of others) other.follow(node);
};

it('an answer that is lost while a chain begins leaves no gap in what is kept', async () => {
  const [b, c] = [memoryNode('b'), memoryNode('c')];
  grown(b, c);
  const { hashAt } = c;
  let isLost = false;
  Object.assign(c, {
    hashAt: async (height: number) => {
      if (height !== 250 || isLost) return hashAt(height);
      isLost = true;
      throw new NodeUnreachable('it does not answer');
    },
  });
  await watching(database, 'BTC', [b, c], { agree: 2 }).turn();
  expect(await kept()).toBe(101);
});

it('a gap in what is kept holds no reorganisation up that passes it', async () => {
  const [liar, b, c] = [memoryNode('liar'), memoryNode('b'), memoryNode('c')];
  grown(b, c, liar);
  const { hashAt } = liar;
  Object.assign(liar, { hashAt: async (height: number) => (height === 299 ? 'made up' : hashAt(height)) });
  const { tip } = c;
  Object.assign(c, { tip: () => Promise.reject(new NodeUnreachable('it does not answer')) });
  const watch = watching(database, 'BTC', [b, c, liar], { agree: 2 });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  expect(await kept()).toBe(100);
  Object.assign(c, { tip });
  await watch.turn();
  b.branch.splice(299);
  b.mine('new', [paid]);
  b.mine('new');
  b.mine('new');
  Object.assign(liar, { hashAt });
  for (const node of [c, liar]) node.follow(b);
  await watch.turns(3);
  expect(await watch.report()).toMatchObject({ height: 301, held: null });
  expect(await heard(watch)).toEqual(SEEN_AND_CONFIRMED);
});

it('blocks far below that a rescan kept keep no chain from being taken up', async () => {
  const [a, b] = [memoryNode('a'), memoryNode('b')];
  grown(a, b);
  const watch = watching(database, 'BTC', [a, b], { agree: 2 });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  await askRescan(database.pool, { chain: 'BTC', from: 150, to: 155 });
  await watch.rescan();
  expect(await kept()).toBe(107);
  a.branch.splice(140);
  for (let nth = 0; nth < 165; nth += 1) a.mine('other', nth === 100 ? [paid] : []);
  b.follow(a);
  await watch.turns(2);
  expect((await watch.report())?.held?.reason).toContain('parts below block 150, the first that is kept');
  await askRescan(database.pool, { chain: 'BTC', from: 130, to: 300 });
  await watch.turns(3);
  expect(await watch.report()).toMatchObject({ height: 304, held: null });
  expect((await rescanReports(database.pool, 'BTC'))[0]).toMatchObject({ state: 'done' });
  expect(await heard(watch)).toEqual(SEEN_AND_CONFIRMED);
});
