import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;

/** Listed, and given to nobody. */
const listUngiven = (node: MemoryNode, txid: string): (() => void) => {
  const { mempool } = node;
  Object.assign(node, { mempool: async () => [...(await mempool()), txid] });
  return () => Object.assign(node, { mempool });
};

const awaiting = async (agree: number) => {
  const nodes = [memoryNode('read'), memoryNode('other')];
  const watch = watching(database, 'BTC', nodes, { agree });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  const paid = { ...paymentTo(SCRIPT, 'paid'), inputs: ['phantom:0'] };
  for (const { pool } of nodes) pool.set('paid', paid);
  const giveUp = nodes.map((node) => listUngiven(node, 'phantom'));
  await watch.turn();
  expect([await watch.told(), watch.alerts()]).toEqual([[], []]);
  const minute = async (): Promise<void> => {
    watch.pass(61_000);
    await watch.turn();
  };
  return { watch, minute, giveUp: () => giveUp.forEach((each) => void each()) };
};

it.each([1, 2])(
  'what a payment leans on and its node gives to nobody is told of after a minute, once, where %i agree',
  async (agree) => {
    const { watch, minute } = await awaiting(agree);
    for (let nth = 0; nth < 3; nth += 1) await minute();
    expect(watch.alarms()).toMatchObject([
      { alert: 'chain_payment_awaited', node: 'read', transactions: 1, txid: 'paid' },
    ]);
  },
);

it('and not where the node lists it no more: the payment is seen', async () => {
  const { watch, minute, giveUp } = await awaiting(1);
  giveUp();
  await minute();
  expect([watch.alerts(), await watch.told()]).toMatchObject([[], [{ type: 'payment.seen', txid: 'paid' }]]);
});
