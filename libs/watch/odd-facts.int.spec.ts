import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import type { ChainNode } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);
const SCRIPT = `0014${'ab'.repeat(20)}`;
const paid = paymentTo(SCRIPT, 'paid');
const odd = paymentTo(SCRIPT, 'nul\0');

const lies: Readonly<Record<string, (node: MemoryNode) => Partial<ChainNode>>> = {
  'a block': ({ block }) => ({
    block: async (hash) => {
      const honest = await block(hash);
      return honest && { ...honest, transactions: [...honest.transactions, odd] };
    },
  }),
  'its mempool': ({ pool }) => {
    pool.set(odd.txid, odd);
    return {};
  },
  'a sum': ({ block }) => ({
    block: async (hash) => {
      const honest = await block(hash);
      const outputs = [{ vout: 0, script: SCRIPT, amount: 10n ** 140_000n }];
      return honest && { ...honest, transactions: [{ ...odd, txid: 'much', outputs }] };
    },
  }),
  'a sender': () => ({ sendersOf: async () => ['a\0'] }),
};

it.each(Object.entries(lies))('a node that is read, and tells %s that no row can hold, is left', async (_, lie) => {
  const [liar, one, two] = [memoryNode('liar'), memoryNode('one'), memoryNode('two')];
  const watch = watching(database, 'ETH', [liar, one, two], { agree: 2 });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  Object.assign(liar, lie(liar));
  for (let nth = 0; nth < 5; nth += 1) {
    one.mine('all', nth === 1 ? [paid] : []);
    for (const node of [two, liar]) node.follow(one);
    watch.pass(20_000);
    await watch.turn().catch(() => undefined);
  }
  expect(await watch.report()).toMatchObject({ height: 5, held: null });
  expect((await watch.told()).map(({ type, txid }) => [type, txid])).toEqual([
    ['payment.seen', 'paid'],
    ['payment.confirmed', 'paid'],
  ]);
});
