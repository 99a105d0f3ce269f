import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { NodeUnreachable } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);
const SCRIPT = `0014${'ab'.repeat(20)}`;

/** It lists what it has not got, and takes its time to say so. */
const making = (node: MemoryNode, ids: number, onAsked: () => void = () => undefined): MemoryNode => ({
  ...node,
  mempool: async () => [...Array.from({ length: ids }, (_, nth) => `made-up-${nth}`), ...(await node.mempool())],
  transactions: async (txids) => {
    if (txids.some((txid) => txid.startsWith('made-up'))) {
      onAsked();
      await delay(250);
    }
    return node.transactions(txids);
  },
});

it('a node that lists what it does not give keeps no turn long, and is left', async () => {
  let asked = 0;
  const liar = making(memoryNode('liar'), 2_000, () => {
    asked += 1;
  });
  const [one, two] = [memoryNode('one'), memoryNode('two')];
  const watch = watching(database, 'BTC', [liar, one, two], { agree: 2 });
  await watch.give(SCRIPT, 1);
  one.pool.set('paid', paymentTo(SCRIPT, 'paid'));
  await watch.turns(3);
  // In three seconds; all of them would be 80.
  expect(asked).toBeLessThanOrEqual(13);
  expect((await watch.told()).map(({ txid }) => txid)).toEqual(['paid']);
}, 60_000);

it('what one node alone does not give waits behind what it gives', async () => {
  const node = making(memoryNode('one'), 500);
  const watch = watching(database, 'BTC', [node]);
  await watch.give(SCRIPT, 1);
  await watch.turns(3);
  node.pool.set('paid', paymentTo(SCRIPT, 'paid'));
  await watch.turns(3);
  expect((await watch.told()).map(({ txid }) => txid)).toEqual(['paid']);
}, 90_000);

it('a watcher that is told to stop reads a mempool no further', async () => {
  const stopping = new AbortController();
  let asked = 0;
  const node = making(memoryNode('one'), 2_000, () => {
    asked += 1;
    stopping.abort();
  });
  const watch = watching(database, 'BTC', [node]);
  await watch.turn(AbortSignal.abort());
  await watch.turn(stopping.signal);
  expect(asked).toBe(1);
});

it('what nobody tells the senders of yet waits behind what is new', async () => {
  const node = memoryNode('one');
  const watch = watching(database, 'BTC', [
    {
      ...node,
      sendersOf: async ({ txid }) => {
        if (!txid.startsWith('untold')) return [];
        await delay(150);
        throw new NodeUnreachable('it does not answer');
      },
    },
  ]);
  await watch.give(SCRIPT, 1);
  for (let nth = 0; nth < 25; nth += 1) node.pool.set(`untold-${nth}`, paymentTo(SCRIPT, `untold-${nth}`));
  node.pool.set('paid', paymentTo(SCRIPT, 'paid'));
  // The first one begins the chain.
  await watch.turns(3);
  expect((await watch.told()).map(({ txid }) => txid)).toEqual(['paid']);
}, 60_000);
