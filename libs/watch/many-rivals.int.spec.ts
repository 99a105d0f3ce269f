import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { type Watching, watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const scriptOf = (name: string): string => `0014${Buffer.from(name.padEnd(20)).toString('hex')}`;
const coinOf = (name: string, nth: number): string => `${name} ${nth}:0`;

const withInputs = (name: string, count: number) => ({
  ...paymentTo(scriptOf(name), name),
  inputs: Array.from({ length: count }, (_, nth) => coinOf(name, nth)),
});

const takeEach = ({ pool }: MemoryNode, name: string, count: number): void => {
  for (let nth = 0; nth < count; nth += 1) {
    const rival = `rival ${nth} of ${name}`;
    pool.set(rival, { ...paymentTo('51', rival), inputs: [coinOf(name, nth)] });
  }
};

const heard = async (watch: Watching) => (await watch.told()).map(({ type, txid }) => `${type} ${txid}`);

/** How often it was asked anything of what waits, and with `afterMs` it answers that so much later. */
const counted = (node: MemoryNode, afterMs = 0) => {
  const count = { asked: 0 };
  const { raw, spenders, gone, transactions, mempool } = node;
  const slowly = <A, R>(ask: (about: A) => Promise<R>) => {
    return async (about: A): Promise<R> => {
      count.asked += 1;
      if (afterMs > 0) await delay(afterMs);
      return ask(about);
    };
  };
  const slow = { raw: slowly(raw), spenders: slowly(spenders), gone: slowly(gone), mempool: slowly(mempool) };
  Object.assign(node, slow, { transactions: slowly(transactions) });
  return count;
};

const begin = async (payments: readonly string[], inputs: number) => {
  const nodes = [memoryNode('read'), memoryNode('b'), memoryNode('c')] as const;
  const watch = watching(database, 'BTC', nodes, { agree: 2 });
  for (const [nth, name] of payments.entries()) await watch.give(scriptOf(name), nth + 1);
  await watch.turn();
  for (const { pool } of nodes) for (const name of payments) pool.set(name, withInputs(name, inputs));
  await watch.turn();
  expect(await heard(watch)).toHaveLength(payments.length);
  const [read, second, third] = nodes;
  return { watch, read, second, third };
};

const MANY = 300;

describe('a payment of which each coin is taken by another transaction in the mempool that is read', () => {
  it('is asked of once in a turn, and none of them is read again', async () => {
    const { watch, read, second } = await begin(['paid'], MANY);
    read.pool.clear();
    takeEach(read, 'paid', MANY);
    const [counts, reads] = [counted(second), counted(read)];
    await watch.turn();
    expect(counts.asked).toBeLessThan(5);
    reads.asked = 0;
    await watch.turn();
    expect([counts.asked < 10, reads.asked < 10]).toEqual([true, true]);
    expect(await heard(watch)).toEqual([]);
  });

  it('is double-spent once a second node has one of them', async () => {
    const { watch, read, second } = await begin(['paid'], MANY);
    read.pool.clear();
    takeEach(read, 'paid', MANY);
    await watch.turns(2);
    expect(await heard(watch)).toEqual([]);
    second.pool.clear();
    takeEach(second, 'paid', 1);
    await watch.turn();
    expect(await heard(watch)).toEqual(['payment.double_spent paid']);
  });

  it.each([1, MANY])('and by what a node lists that tells no spenders, where it has %i', async (count) => {
    const { watch, read, second } = await begin(['paid'], MANY);
    second.pool.clear();
    read.pool.clear();
    takeEach(read, 'paid', count);
    Object.assign(second, { spenders: async () => [] });
    await watch.turns(2);
    expect(await heard(watch)).toEqual([]);
    takeEach(second, 'paid', count);
    const counts = counted(second);
    await watch.turn();
    expect(await heard(watch)).toEqual(['payment.double_spent paid']);
    expect(counts.asked).toBeLessThan(10);
  });

  it('takes part in what is told of a block as any other', async () => {
    const { watch, read, second, third } = await begin(['paid'], MANY);
    read.pool.clear();
    takeEach(read, 'paid', MANY);
    await watch.turns(2);
    second.mine('all', [withInputs('paid', MANY)]);
    for (const node of [read, third]) {
      node.follow(second);
      node.pool.clear();
    }
    await watch.turns(2);
    expect(await heard(watch)).toEqual(['payment.confirmed paid']);
  });
});

describe('many payments that have rivals, where nodes take a quarter of a second', () => {
  it('take three seconds of a turn at the most, and not of each, and all are told in their time', async () => {
    const names = Array.from({ length: 20 }, (_, nth) => `paid ${nth}`);
    const { watch, read, second } = await begin(names, 1);
    const replaceAll = (node: MemoryNode): void => {
      node.pool.clear();
      for (const name of names) takeEach(node, name, 1);
    };
    replaceAll(read);
    const counts = counted(second, 125);
    counted(read, 125);
    await watch.turn();
    const inOneTurn = counts.asked;
    expect(inOneTurn).toBeLessThan(names.length * 0.75);
    await watch.turn();
    expect(counts.asked).toBe(inOneTurn);
    expect(await heard(watch)).toEqual([]);
    replaceAll(second);
    const told: string[] = [];
    const until = Date.now() + 40_000;
    while (told.length < names.length && Date.now() < until) {
      await watch.turn();
      told.push(...(await heard(watch)));
      await delay(100);
    }
    expect(new Set(told)).toEqual(new Set(names.map((name) => `payment.double_spent ${name}`)));
  }, 60_000);
});
