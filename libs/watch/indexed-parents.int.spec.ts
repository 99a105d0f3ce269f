import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import type { ChainNode, ChainTransaction } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;

const parent: ChainTransaction = { ...paymentTo('0014', 'parent'), raw: () => '01' };
const paid: ChainTransaction = { ...paymentTo(SCRIPT, 'paid'), inputs: ['parent:0'], raw: () => '02' };

/** By its index it gives of whatever block it has ever had; it takes nothing whose parents are in none and wait nowhere. */
const indexingNode = () => {
  const node = memoryNode('one');
  const index = new Map<string, ChainTransaction>();
  const had = (txid: string) => node.pool.get(txid) ?? index.get(txid);
  const submit: ChainNode['submit'] = async (raw) => {
    const sent = [parent, paid].find((each) => each.raw?.() === raw);
    if (!sent || (sent === paid && !node.pool.has('parent'))) return { isIn: false, reason: 'missing inputs' };
    node.pool.set(sent.txid, sent);
    return { isIn: true };
  };
  Object.assign(node, {
    submit,
    transactions: async (txids: readonly string[]) => txids.flatMap((txid) => had(txid) ?? []),
    raw: async (txid: string) => had(txid)?.raw?.(),
    hasWaiting: async (txid: string) => node.pool.has(txid),
  });
  return { node, index };
};

it('a node that gave a block up and lost its mempool is sent what a payment of that leans on, though its index has it', async () => {
  const { node, index } = indexingNode();
  const watch = watching(database, 'LTC', [node]);
  await watch.give(SCRIPT, 1);
  await watch.turn();
  for (const each of [parent, paid]) node.pool.set(each.txid, each);
  await watch.turn();
  node.mine('all', [parent, paid]);
  await watch.turns(2);
  for (const each of [parent, paid]) index.set(each.txid, each);
  node.branch.splice(1);
  node.mine('without');
  node.mine('without');
  for (let nth = 0; nth < 3; nth += 1) {
    watch.pass(61_000);
    await watch.turn();
  }
  expect([...node.pool.keys()]).toEqual(['parent', 'paid']);
});
