import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);
const SCRIPT = `0014${'ab'.repeat(20)}`;

/** It lists what it has not got, and takes its time to say so. */
const making = (node: MemoryNode, ids: number, ms: number): MemoryNode => ({
  ...node,
  mempool: async () => [...Array.from({ length: ids }, (_, nth) => `made-up-${nth}`), ...(await node.mempool())],
  transactions: async (txids) => {
    if (txids.some((txid) => txid.startsWith('made-up'))) await delay(ms);
    return node.transactions(txids);
  },
});

const timed = async (work: Promise<unknown>): Promise<number> => {
  const from = performance.now();
  await work;
  return performance.now() - from;
};

it('a node that lists what it does not give keeps no turn long, and is left', async () => {
  const [liar, one, two] = [making(memoryNode('liar'), 2_000, 250), memoryNode('one'), memoryNode('two')];
  const watch = watching(database, 'BTC', [liar, one, two], { agree: 2 });
  await watch.give(SCRIPT, 1);
  one.pool.set('paid', paymentTo(SCRIPT, 'paid'));
  expect(await timed(watch.turns(2))).toBeLessThan(10_000);
  await watch.turn();
  expect((await watch.told()).map(({ txid }) => txid)).toEqual(['paid']);
}, 60_000);

it('what one node alone does not give waits behind what it gives', async () => {
  const node = making(memoryNode('one'), 2_000, 250);
  const watch = watching(database, 'BTC', [node]);
  await watch.give(SCRIPT, 1);
  await watch.turns(2);
  node.pool.set('paid', paymentTo(SCRIPT, 'paid'));
  for (let nth = 0; nth < 9; nth += 1) await watch.turn();
  expect((await watch.told()).map(({ txid }) => txid)).toEqual(['paid']);
}, 90_000);

it('a watcher that is told to stop reads a mempool no further', async () => {
  const node = making(memoryNode('one'), 2_000, 250);
  const watch = watching(database, 'BTC', [node]);
  const stopping = new AbortController();
  await watch.turn(AbortSignal.abort());
  setTimeout(() => stopping.abort(), 100);
  expect(await timed(watch.turn(stopping.signal))).toBeLessThan(2_500);
});
