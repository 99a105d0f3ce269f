import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { NodeUnreachable } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const [FIRST, SECOND] = ['ab', 'cd'].map((byte) => `0014${byte.repeat(20)}`) as [string, string];

/** Two that have to agree: the one that is read, and one of which all that waits is asked so. */
const withOther = async (mempool: (node: MemoryNode) => Promise<readonly string[]>) => {
  const [read, other] = [memoryNode('read'), memoryNode('other')];
  const { mempool: own } = other;
  let asked = 0;
  Object.assign(other, {
    mempool: () => {
      asked += 1;
      return mempool({ ...other, mempool: own });
    },
  });
  const chain = { agree: 2, confirmations: [{ from: 0n, need: 2 }] };
  const watch = watching(database, 'LTC', [read, other], { ...chain, isFast: async () => true });
  await watch.give(FIRST, 1);
  await watch.give(SECOND, 2);
  await watch.turn();
  for (const node of [read, other]) node.pool.set('waits', paymentTo(FIRST, 'waits'));
  const passed = async () =>
    (await watch.told()).flatMap((signal) => (signal.type === 'guards.completed' ? [signal.deposit_id] : []));
  return { watch, read, other, passed, asked: () => asked };
};

const taking = (ms: number) => async (node: MemoryNode) => {
  await delay(ms);
  return node.mempool();
};

it('a node that takes longer for all that waits than a turn has is read once, and vouches with a later turn', async () => {
  const { watch, passed, asked } = await withOther(taking(4_000));
  await watch.turn();
  expect(await passed()).toEqual([]);
  await watch.turn();
  await delay(3_500);
  await watch.turn();
  expect([await passed(), asked()]).toEqual([[1], 1]);
});

it('as one does that takes most of a turn for that, and has more to say then', async () => {
  const { watch, other, passed, asked } = await withOther(taking(2_300));
  const { doubt } = other;
  Object.assign(other, {
    doubt: async (transaction: Parameters<typeof doubt>[0]) => {
      await delay(900);
      return doubt(transaction);
    },
  });
  await watch.turn();
  await delay(1_500);
  await watch.turn();
  expect([await passed(), asked()]).toEqual([[1], 1]);
});

it('and keeps no block from being agreed on meanwhile', async () => {
  const { watch, read, other, passed } = await withOther(taking(4_000));
  await watch.turn();
  read.mine('all', [paymentTo(SECOND, 'mined')]);
  other.follow(read);
  await watch.turn();
  expect(await passed()).toEqual([2]);
});

it('what it has read an hour ago is asked for anew', async () => {
  const { watch, passed, asked } = await withOther(taking(4_000));
  await watch.turn();
  await delay(3_500);
  watch.pass(3_600_000);
  await watch.turn();
  expect([await passed(), asked()]).toEqual([[], 2]);
});

it('where no other says for a minute whether payments may count unconfirmed, that is told once', async () => {
  let isAway = true;
  const { watch, passed } = await withOther(async (node) => {
    if (isAway) throw new NodeUnreachable('it does not answer');
    return node.mempool();
  });
  const told = () => watch.alarms().filter(({ alert }) => alert === 'chain_unvouched');
  await watch.turns(2);
  expect(told()).toEqual([]);
  for (let nth = 0; nth < 3; nth += 1) {
    watch.pass(31_000);
    await watch.turn();
  }
  expect(told()).toMatchObject([{ chain: 'LTC', nodes: ['other'] }]);
  isAway = false;
  await watch.turn();
  expect(await passed()).toEqual([1]);
});
