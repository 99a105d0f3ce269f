import { describe, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import type { ChainTransaction } from '#chains';
import type { Ticker } from '#money';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { type Watching, watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0x${'ab'.repeat(20)}`;
const paid = paymentTo(SCRIPT, 'paid');
const rival = { ...paymentTo(`0x${'99'.repeat(20)}`, 'rival'), inputs: paid.inputs };
const failed = { ...paid, outputs: [] };
const COINS: readonly Ticker[] = ['ETH', 'DASH', 'MARS'];

const heard = async (watch: Watching) =>
  (await watch.told()).map(({ type, passed, replaced_by: by }) => [type, passed ?? by].filter(Boolean).join(' '));

type Nodes = readonly [read: MemoryNode, second: MemoryNode, third: MemoryNode];

/** A fast payment waits at three nodes, of which two have to agree, and passed the guards. */
const eligible = async (coin: Ticker) => {
  const nodes: Nodes = [memoryNode('read'), memoryNode('b'), memoryNode('c')];
  const options = { agree: 2, isFast: async () => true, confirmations: [{ from: 0n, need: 2 }] };
  const watch = watching(database, coin, nodes, options);
  await watch.give(SCRIPT, 1);
  await watch.turn();
  for (const { pool } of nodes) pool.set('paid', paid);
  await watch.turn();
  expect(await heard(watch)).toEqual(['payment.seen', 'guards.completed true']);
  return { watch, nodes, restart: () => watching(database, coin, nodes, options) };
};

/** All have it by one hash; the one that is read shows other transactions in it than the two others, who may be late. */
const mine = ([read, ...others]: Nodes, shown: readonly ChainTransaction[], theirs: readonly ChainTransaction[]) => {
  read.mine('all', theirs);
  const [block] = read.branch.splice(-1);
  if (!block) throw new Error('nothing was mined');
  read.branch.push({ ...block, transactions: shown });
  const follow = (): void => {
    for (const { branch, pool } of others) {
      branch.push(block);
      for (const { txid, inputs } of theirs) {
        pool.delete(txid);
        if (inputs === paid.inputs) pool.delete('paid');
      }
    }
  };
  return { follow };
};

const goOn = async (watch: Watching, nodes: Nodes, blocks: number): Promise<void> => {
  for (let nth = 0; nth < blocks; nth += 1) {
    mine(nodes, [], []).follow();
    await watch.turns(2);
  }
};

describe.each(COINS)('a block of %s, whose hash covers nothing that it shows', (coin) => {
  it.each([
    ['what takes the place of a payment', rival],
    ['that a payment came to nothing', failed],
  ])('ends nothing where one node of three shows %s', async (_, shown) => {
    const { watch, nodes } = await eligible(coin);
    mine(nodes, [shown], []).follow();
    await watch.turns(3);
    expect(await heard(watch)).toEqual([]);
    expect(watch.alerts()).toEqual(['chain_spending_differs']);
    mine(nodes, [paid], [paid]).follow();
    await watch.turns(2);
    await goOn(watch, nodes, 1);
    expect(await heard(watch)).toEqual(['payment.confirmed']);
  });

  it.each([
    ['takes its place', rival, 'payment.double_spent rival'],
    ['shows that it came to nothing', failed, 'payment.dropped'],
  ])('ends a payment with itself where another has that it %s', async (_, shown, told) => {
    const { watch, nodes } = await eligible(coin);
    nodes[0].pool.clear();
    mine(nodes, [shown], [shown]).follow();
    await watch.turn();
    expect(await heard(watch)).toEqual([told]);
  });

  it('ends a payment once a second node has it, and lets nothing pass meanwhile', async () => {
    const { watch, nodes } = await eligible(coin);
    nodes[0].pool.clear();
    const { follow } = mine(nodes, [rival], [rival]);
    await watch.turn();
    expect(await heard(watch)).toEqual(['guards.completed']);
    follow();
    await watch.turn();
    expect(await heard(watch)).toEqual(['payment.double_spent rival']);
  });

  it('ends a payment by what two of three show, whatever the one shows that is read', async () => {
    const { watch, nodes } = await eligible(coin);
    const { follow } = mine(nodes, [], [rival]);
    await watch.turn();
    expect(await heard(watch)).toEqual([]);
    follow();
    await watch.turns(2);
    expect(await heard(watch)).toEqual(['payment.double_spent rival']);
    expect(watch.alerts()).toEqual(['chain_spending_differs']);
  });

  it('ends a payment with its second reading where a watcher that began since was shown nothing', async () => {
    const { watch, nodes, restart } = await eligible(coin);
    const { follow } = mine(nodes, [], [rival]);
    await watch.turn();
    follow();
    const next = restart();
    await goOn(next, nodes, 4);
    expect(await heard(next)).toEqual([]);
    await goOn(next, nodes, 2);
    expect(await heard(next)).toEqual(['payment.double_spent rival']);
  });
});
