import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { NodeRefused } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { type Watching, watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;
const paid = paymentTo(SCRIPT, 'paid');
const NEXT = 'it is not the next transaction of its sender';

const heard = async (watch: Watching) =>
  (await watch.told()).map(({ type, passed }) => (passed === undefined ? type : [type, passed]));

const SEEN = ['payment.seen'];
const PASSED = ['payment.seen', ['guards.completed', true]];

/** Three nodes at one height that have what is paid to a fast deposit; the first is read. */
const three = async (change: (others: readonly MemoryNode[], read: MemoryNode) => void, agree = 2) => {
  const [read, second, third] = [memoryNode('read'), memoryNode('second'), memoryNode('third')];
  const others = [second, third];
  read.mine('all');
  for (const node of others) node.follow(read);
  change(others, read);
  const watch = watching(database, 'LTC', [read, second, third], { agree, isFast: async () => true });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  for (const node of [read, ...others]) node.pool.set('paid', paid);
  await watch.turns(3);
  return { watch, others };
};

const cannotSay = async (): Promise<never> => {
  throw new NodeRefused('getmempoolentry', -32_601, 'the method does not exist');
};

const cannot = (node: MemoryNode): void => void Object.assign(node, { doubt: cannotSay });

/** What others know of a payment that the one which is read has nothing against. */
const knowing: Readonly<Record<string, (node: MemoryNode) => void>> = {
  'do not take it for the next one': (node) => Object.assign(node, { doubt: async () => NEXT }),
  'have it wait for its block': (node) => Object.assign(node, { mayComeNext: async () => false }),
  'have it lean on one that may be replaced': (node) => {
    node.pool.set('parent', { ...paymentTo('00', 'parent'), replaceable: true });
    Object.assign(node, {
      transactions: async (txids: readonly string[]) =>
        txids.map((txid) => ({ ...(node.pool.get(txid) ?? paid), ...(txid === 'paid' && { inputs: ['parent:0'] }) })),
    });
  },
  'do not list it': (node) => Object.assign(node, { mempool: async () => [] }),
  'cannot say': cannot,
};

it.each(Object.entries(knowing))('a payment waits for its block where the others %s', async (_, know) => {
  const { watch } = await three((others) => others.forEach(know));
  expect(await heard(watch)).toEqual(SEEN);
});

it.each(Object.entries(knowing))(
  'it passes where a second node is sure of it, though a third would %s',
  async (_, know) => {
    const { watch } = await three((others) => others.slice(1).forEach(know));
    expect(await heard(watch)).toEqual(PASSED);
  },
);

it('of others nothing is asked where each node is believed alone', async () => {
  const { watch } = await three((others) => others.forEach(cannot), 1);
  expect(await heard(watch)).toEqual(PASSED);
});

it('one that cannot say so tells of a rival all the same', async () => {
  const { watch } = await three((others) =>
    others.forEach((node, nth) => {
      cannot(node);
      if (nth === 1) Object.assign(node, { raw: async () => undefined, spenders: async () => ['rival'] });
    }),
  );
  expect(await heard(watch)).toEqual(['payment.seen', ['guards.completed', false]]);
});
