import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, it, jest } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;
const paid = paymentTo(SCRIPT, 'paid');

afterEach(() => {
  jest.restoreAllMocks();
});

/** What rests rests by the clock of the process. */
const passOnClock = (ms: number): void => {
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + ms);
};

it('what a slow node has not got at first, and refuses, is seen some seconds after it has it', async () => {
  const [read, slow] = [memoryNode('read'), memoryNode('slow')];
  const watch = watching(database, 'BTC', [read, slow], { agree: 2 });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  const { raw } = slow;
  Object.assign(slow, {
    submit: async () => ({ isIn: false, reason: 'too busy' }),
    raw: async (txid: string) => {
      await delay(1_200);
      return raw(txid);
    },
  });
  read.pool.set('paid', paid);
  await watch.turn();
  slow.pool.set('paid', paid);
  passOnClock(6_000);
  watch.pass(6_000);
  await watch.turns(2);
  expect((await watch.told()).map(({ txid }) => txid)).toEqual(['paid']);
});
