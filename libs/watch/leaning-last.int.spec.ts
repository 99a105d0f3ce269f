import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import type { ChainNode, ChainTransaction } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;

/** Each waits behind two of its own, and comes before them. */
const leaning = (name: string): readonly ChainTransaction[] => [
  { ...paymentTo(SCRIPT, `paid-${name}`), inputs: [`parent-${name}:0`] },
  { ...paymentTo('0014', `parent-${name}`), inputs: [`elder-${name}:0`] },
  { ...paymentTo('0014', `elder-${name}`), inputs: [`coin-${name}:0`] },
];

const listing = (all: readonly ChainTransaction[]): MemoryNode => {
  const node = memoryNode('read');
  for (const each of all) node.pool.set(each.txid, each);
  return node;
};

/** What it is asked of what a payment leans on takes so long. */
const slowWith = (node: MemoryNode, ms: number): MemoryNode => {
  const { transactions } = node;
  const slowly: ChainNode['transactions'] = async (txids) => {
    await delay(txids.every((txid) => /^(parent|elder)/.test(txid)) ? ms : 0);
    return transactions(txids);
  };
  return Object.assign(node, { transactions: slowly });
};

const seen = (told: readonly Record<string, unknown>[]): readonly unknown[] => told.map(({ txid }) => txid);

it('what leans on nothing that waits is told before what does, however much of that came first', async () => {
  const all = Array.from({ length: 30 }, (_, nth) => leaning(`${nth}`)).flat();
  const watch = watching(database, 'BTC', [slowWith(listing([...all, paymentTo(SCRIPT, 'honest')]), 400)]);
  await watch.give(SCRIPT, 1);
  await watch.turn();
  const first = seen(await watch.told());
  expect(first[0]).toBe('honest');
  // And some of the others, in what they have of each turn.
  expect(first).toContain('paid-0');
}, 60_000);

it('what leans on something has its turn, however much comes that does as well', async () => {
  const node = slowWith(listing(leaning('early')), 1_600);
  const watch = watching(database, 'BTC', [node]);
  await watch.give(SCRIPT, 1);
  const add = (turn: number) => {
    for (let nth = 0; nth < 3; nth += 1)
      for (const each of leaning(`late-${turn}-${nth}`)) node.pool.set(each.txid, each);
  };
  // Before the early one, as some nodes list what waits.
  const early = [...node.pool.values()];
  const told: unknown[] = [];
  for (let turn = 0; turn < 4 && !told.includes('paid-early'); turn += 1) {
    node.pool.clear();
    for (let each = 0; each <= turn; each += 1) add(each);
    for (const each of early) node.pool.set(each.txid, each);
    await watch.turn();
    told.push(...seen(await watch.told()));
  }
  expect(told).toContain('paid-early');
}, 60_000);

it('what more than one leans on is read once in a turn', async () => {
  const shared = { ...paymentTo('0014', 'parent-of-all'), inputs: ['coin:0'] };
  const paid = Array.from({ length: 60 }, (_, nth) => ({
    ...paymentTo(SCRIPT, `paid-${nth}`),
    inputs: [`parent-of-all:${nth}`],
  }));
  const node = listing([...paid, shared]);
  const { transactions } = node;
  let reads = 0;
  const counting: ChainNode['transactions'] = (txids) => {
    reads += txids.join() === 'parent-of-all' ? 1 : 0;
    return transactions(txids);
  };
  const watch = watching(database, 'BTC', [Object.assign(node, { transactions: counting })]);
  await watch.give(SCRIPT, 1);
  await watch.turn();
  expect(await watch.told()).toHaveLength(60);
  expect(reads).toBe(1);
}, 30_000);
