import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { NodeRefused } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0x${'ab'.repeat(20)}`;
const OTHER = `0x${'cd'.repeat(20)}`;
const LARGE = 10n ** 18n;
const confirmations = [
  { from: 0n, need: 1 },
  { from: LARGE, need: 'safe' as const },
];

const large = { ...paymentTo(OTHER, 'large'), outputs: [{ vout: 0, script: OTHER, amount: LARGE }] };

/** A node that calls no block safe, until it does. */
const youngNode = (name: string) => {
  const node = memoryNode(name);
  let safe: number | undefined;
  return {
    ...node,
    settledHeight: async () => {
      if (safe === undefined) throw new NodeRefused('eth_getBlockByNumber', -32_000, 'safe block not found');
      return safe;
    },
    settle: (height: number) => {
      safe = height;
    },
  };
};

const factsOf = async (watch: ReturnType<typeof watching>) =>
  (await watch.told()).map(({ type, txid }) => `${type} ${txid}`);

it('a node that calls no block safe keeps nothing else from being told, and somebody hears of what waits', async () => {
  const node = youngNode('young');
  const watch = watching(database, 'ETH', [node], { confirmations });
  await watch.give(SCRIPT, 1);
  await watch.give(OTHER, 2);
  await watch.turn();
  node.mine('all', [paymentTo(SCRIPT, 'small'), large]);
  node.pool.set('waits', paymentTo(SCRIPT, 'waits'));
  await watch.turns(2);
  expect(await factsOf(watch)).toEqual([
    ...['payment.seen small', 'payment.seen large'],
    ...['payment.confirmed small', 'payment.seen waits'],
  ]);
  expect([(await watch.report())?.held, watch.alerts()]).toEqual([null, []]);
  watch.pass(31_000);
  await watch.turns(2);
  expect(await watch.report()).toMatchObject({
    held: { reason: expect.stringContaining('young calls no block safe') },
  });
  expect(watch.alerts()).toEqual(['chain_held']);
  node.settle(1);
  await watch.turn();
  expect([await factsOf(watch), (await watch.report())?.held]).toEqual([['payment.confirmed large'], null]);
});

it('a node that calls no block safe has another read that does', async () => {
  const [young, other] = [youngNode('young'), youngNode('other')];
  const watch = watching(database, 'ETH', [young, other], { confirmations });
  await watch.give(SCRIPT, 1);
  await watch.give(OTHER, 2);
  await watch.turn();
  young.mine('all', [large]);
  other.follow(young);
  other.settle(1);
  await watch.turns(2);
  expect(await factsOf(watch)).toEqual(['payment.seen large', 'payment.confirmed large']);
  expect(watch.alerts()).toEqual([]);
});

it('a node that calls no block safe is not asked while no payment waits for that', async () => {
  const node = youngNode('young');
  const watch = watching(database, 'ETH', [node], { confirmations });
  await watch.give(SCRIPT, 1);
  await watch.give(OTHER, 2);
  await watch.turn();
  node.mine('all', [paymentTo(SCRIPT, 'small')]);
  await watch.turns(2);
  watch.pass(31_000);
  await watch.turn();
  expect(await factsOf(watch)).toEqual(['payment.seen small', 'payment.confirmed small']);
  expect(watch.alerts()).toEqual([]);
});
