import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import type { ChainNode, ChainTransaction } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const [OURS, HIS] = ['ab', 'cd'].map((byte) => `0014${byte.repeat(20)}`) as [string, string];

/** As many as policy lets wait: each spends the one before it, and the last pays. */
const cheap: readonly ChainTransaction[] = Array.from({ length: 25 }, (_, nth) => ({
  ...paymentTo(nth === 24 ? HIS : '0014', `cheap-${nth}`),
  inputs: [nth === 0 ? 'coin:0' : `cheap-${nth - 1}:0`],
  raw: () => `aa${nth}`,
}));

const ROUND_TRIP_MS = 150;

/** Each of its answers comes so much later: all that is asked of one payment takes more than the three seconds of one. */
const farAway = (takes: boolean): MemoryNode & { readonly sent: string[] } => {
  const node = memoryNode('far');
  const sent: string[] = [];
  const { transactions, raw } = node;
  const far = async <T>(work: () => Promise<T>): Promise<T> => {
    await delay(ROUND_TRIP_MS);
    return work();
  };
  const submit: ChainNode['submit'] = (each) =>
    far(async () => {
      sent.push(each);
      const given = cheap.find((one) => one.raw?.() === each);
      if (!takes || !given) return { isIn: false, reason: 'min relay fee not met' };
      node.pool.set(given.txid, given);
      return { isIn: true };
    });
  const answers: Partial<ChainNode> = {
    transactions: (txids) => far(() => transactions(txids)),
    raw: (txid) => far(() => raw(txid)),
    submit,
  };
  return Object.assign(node, answers, { sent });
};

const besideFar = async (takes: boolean) => {
  const [read, far] = [memoryNode('read'), farAway(takes)];
  const watch = watching(database, 'BTC', [read, far], { agree: 2 });
  await watch.give(OURS, 1);
  await watch.give(HIS, 2);
  await watch.turn();
  for (const each of cheap) read.pool.set(each.txid, each);
  await watch.turn();
  return { watch, read, far };
};

/** What was asked in vain, and took long, waits so long. */
const REST_MS = 5_100;

it('a node far away that answers all that it is asked is asked on for others', async () => {
  const { watch, read, far } = await besideFar(false);
  const honest = paymentTo(OURS, 'honest');
  for (const node of [read, far]) node.pool.set('honest', honest);
  await watch.turn();
  expect(await watch.told()).toMatchObject([{ type: 'payment.seen', txid: 'honest' }]);
}, 30_000);

it('what it was not asked in time it has not refused, and is asked with the next turn', async () => {
  const from = Date.now();
  const { watch, far } = await besideFar(true);
  expect(await watch.told()).toEqual([]);
  expect(far.sent.length).toBeGreaterThan(10);
  await delay(REST_MS);
  await watch.turn();
  const told = await watch.told();
  expect(told).toMatchObject([{ type: 'payment.seen', txid: 'cheap-24' }]);
  expect(new Date(String(told[0]?.at)).getTime() - from).toBeLessThan(2_000);
}, 30_000);

it('what it refuses it is sent once over as many turns as that takes, and then ever more seldom', async () => {
  const { watch, far } = await besideFar(false);
  await delay(REST_MS);
  await watch.turn();
  expect(far.sent).toEqual(cheap.map(({ raw }) => raw?.()));
  watch.pass(16_000);
  await delay(REST_MS);
  await watch.turn();
  expect(far.sent).toHaveLength(25);
}, 30_000);

it('what vanished is sent itself once a node far away has refused all that it leans on, and given up as refused', async () => {
  const far = farAway(false);
  const watch = watching(database, 'BTC', [far]);
  await watch.give(HIS, 2);
  await watch.turn();
  for (const each of cheap) far.pool.set(each.txid, each);
  while ((await watch.told()).length === 0) await watch.turn();
  // It gives what was mined, or waited, out of an index; nothing waits there any more.
  const had = new Map(far.pool);
  Object.assign(far, {
    mempool: async () => [],
    hasWaiting: async () => false,
    transactions: async (txids: readonly string[]) => txids.flatMap((txid) => had.get(txid) ?? []),
  });
  for (let nth = 0; nth < 4; nth += 1) {
    watch.pass(61_000);
    await watch.turn();
  }
  expect(far.sent.filter((raw) => raw === 'aa24')).not.toEqual([]);
  for (let past = 0; past < 40 && (await watch.told()).length === 0; past += 1) {
    watch.pass(240_000);
    await watch.turn();
  }
  expect((await database.pool.query('SELECT state FROM chain_payments')).rows).toEqual([{ state: 'dropped' }]);
}, 120_000);
