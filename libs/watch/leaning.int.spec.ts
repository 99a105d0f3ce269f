import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import type { ChainNode } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;
const parent = { ...paymentTo('0014', 'parent'), inputs: ['coin:0'] };
const paid = { ...paymentTo(SCRIPT, 'paid'), inputs: ['parent:0'] };
const rival = { ...paymentTo('0014', 'rival'), inputs: ['coin:0'] };

/** Whoever asks for the parent alone comes too late: `happens` first. */
const whenTheParentIsAskedFor = (node: MemoryNode, happens: () => void): ChainNode => ({
  ...node,
  transactions: async (txids) => {
    if (txids.join() === 'parent') happens();
    return node.transactions(txids);
  },
});

const paidOnParent = (): MemoryNode => {
  const node = memoryNode('one');
  node.pool.set('parent', parent);
  node.pool.set('paid', paid);
  return node;
};

it('a payment whose parent is replaced while it is read never stays without an end', async () => {
  const node = paidOnParent();
  const replace = (): void => {
    node.pool.clear();
    node.pool.set('rival', rival);
  };
  const watch = watching(database, 'BTC', [whenTheParentIsAskedFor(node, replace)]);
  await watch.give(SCRIPT, 1);
  await watch.turns(2);
  expect(await watch.told()).toEqual([]);
});

it('one that is back with its parent is told, and so is who takes the place of the parent', async () => {
  const node = paidOnParent();
  let isGone = false;
  const leave = (): void => {
    if (!isGone) node.pool.clear();
    isGone = true;
  };
  const watch = watching(database, 'BTC', [whenTheParentIsAskedFor(node, leave)]);
  await watch.give(SCRIPT, 1);
  await watch.turn();
  node.pool.set('parent', parent).set('paid', paid);
  await watch.turn();
  node.pool.clear();
  node.pool.set('rival', rival);
  await watch.turn();
  expect(await watch.told()).toMatchObject([
    { type: 'payment.seen', txid: 'paid' },
    { type: 'payment.double_spent', txid: 'paid', replaced_by: 'rival' },
  ]);
});

it('one whose parent a block takes meanwhile is told when it is read again', async () => {
  const node = paidOnParent();
  const watch = watching(database, 'BTC', [
    whenTheParentIsAskedFor(node, () => {
      if (node.pool.has('parent')) node.mine('all', [parent]);
    }),
  ]);
  await watch.give(SCRIPT, 1);
  await watch.turns(2);
  expect(await watch.told()).toMatchObject([{ type: 'payment.seen', txid: 'paid' }]);
});
