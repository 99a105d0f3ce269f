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

/** Each spends the one before it, the last pays us. */
const paidBehind = (parents: number): readonly ChainTransaction[] =>
  Array.from({ length: parents + 1 }, (_, nth) => ({
    ...paymentTo(nth === parents ? SCRIPT : '0014', nth === parents ? 'paid' : `parent-${nth}`),
    inputs: [nth === 0 ? 'coin:0' : `parent-${nth - 1}:0`],
    raw: () => `0${nth}`,
  }));

const listing = (name: string, all: readonly ChainTransaction[]): MemoryNode => {
  const node = memoryNode(name);
  for (const each of all) node.pool.set(each.txid, each);
  return node;
};

const replaceable = async (): Promise<readonly unknown[]> =>
  (await database.pool.query<{ replaceable: boolean }>('SELECT replaceable FROM chain_payments')).rows;

/** What it is asked of what a payment leans on takes so long, each time that the question comes. */
const slowWith = (node: MemoryNode, ms: (txids: string) => number): MemoryNode => {
  const { transactions } = node;
  const slowly: ChainNode['transactions'] = async (txids) => {
    await delay(txids.length === 1 ? ms(txids.join()) : 0);
    return transactions(txids);
  };
  return Object.assign(node, { transactions: slowly });
};

/** It takes nothing whose parents it has not got, as any node, and each takes it so long. */
const takingSlowly = (node: MemoryNode, all: readonly ChainTransaction[], ms = 0): MemoryNode => {
  const submit: ChainNode['submit'] = async (raw) => {
    await delay(ms);
    const sent = all.find((each) => each.raw?.() === raw);
    const [spent = ''] = sent?.inputs.map((outpoint) => outpoint.split(':')[0] ?? '') ?? [];
    if (!sent || (spent !== 'coin' && !node.pool.has(spent))) return { isIn: false, reason: 'missing inputs' };
    node.pool.set(sent.txid, sent);
    return { isIn: true };
  };
  return Object.assign(node, { submit });
};

it('a node that stalls once while it is read leaves no payment as one that may be replaced', async () => {
  let stalls = 1;
  const read = slowWith(listing('read', paidBehind(2)), (txid) => {
    if (txid !== 'parent-1' || stalls === 0) return 0;
    stalls -= 1;
    return 3_100;
  });
  const watch = watching(database, 'BTC', [read]);
  await watch.give(SCRIPT, 1);
  await watch.turns(2);
  expect(await replaceable()).toEqual([{ replaceable: false }]);
  expect(await watch.told()).toMatchObject([{ type: 'payment.seen', txid: 'paid' }]);
}, 30_000);

it('what a payment leans on at a node far away is read over as many turns as that takes', async () => {
  const read = slowWith(listing('read', paidBehind(24)), () => 300);
  const watch = watching(database, 'BTC', [read]);
  await watch.give(SCRIPT, 1);
  await watch.turns(2);
  expect(await watch.told()).toEqual([]);
  await watch.turn();
  expect(await replaceable()).toEqual([{ replaceable: false }]);
}, 30_000);

it('and so is what more payments lean on than are kept begun, of each in its turn', async () => {
  const chains = Array.from({ length: 9 }, (_, nth) =>
    paidBehind(4).map((each) => ({
      ...each,
      txid: `${each.txid}.${nth}`,
      inputs: each.inputs.map((outpoint) => outpoint.replace(':', `.${nth}:`)),
    })),
  );
  // So that no two of them are looked at together.
  const between = (chain: number) =>
    Array.from({ length: 20 }, (_, nth) => paymentTo('0014', `between-${chain}-${nth}`));
  const all = chains.flatMap((chain, nth) => [...between(nth), ...chain]);
  // Three of four in the three seconds of a turn.
  const watch = watching(database, 'BTC', [slowWith(listing('read', all), () => 1_050)]);
  await watch.give(SCRIPT, 1);
  const told: unknown[] = [];
  for (let nth = 0; nth < 30 && told.length < 9; nth += 1) {
    await watch.turn();
    told.push(...(await watch.told()));
  }
  expect(told).toHaveLength(9);
}, 200_000);

it('what more waits than any policy lets wait makes a payment one that may be replaced, however slowly it is read', async () => {
  const many = Array.from({ length: 700 }, (_, nth) => paymentTo('0014', `many-${nth}`));
  const paid = { ...paymentTo(SCRIPT, 'paid'), inputs: many.map(({ txid }) => `${txid}:0`) };
  const watch = watching(database, 'BTC', [listing('read', [...many, paid])]);
  await watch.give(SCRIPT, 1);
  await watch.turns(2);
  expect(await replaceable()).toEqual([{ replaceable: true }]);
}, 30_000);

it('what was not sent for want of what it leans on is refused by nobody', async () => {
  const all = paidBehind(2);
  let isSlow = true;
  const read = slowWith(listing('read', all), () => (isSlow ? 3_100 : 0));
  const other = takingSlowly(memoryNode('other'), all);
  const watch = watching(database, 'BTC', [read, other], { agree: 2 });
  await watch.give(SCRIPT, 1);
  const cameAt = Date.now();
  await watch.turn();
  isSlow = false;
  watch.pass(60_000);
  await delay(5_000);
  await watch.turn();
  const [seen] = await watch.told();
  expect(new Date(String(seen?.at)).getTime() - cameAt).toBeLessThan(30_000);
}, 30_000);

it('a node far away that has lost its mempool is given what a payment leans on over as many turns as that takes', async () => {
  const all = paidBehind(24);
  const [read, other] = [takingSlowly(listing('read', all), all, 200), listing('other', all)];
  const watch = watching(database, 'BTC', [read, other]);
  await watch.give(SCRIPT, 1);
  await watch.turn();
  expect(await watch.told()).toMatchObject([{ type: 'payment.seen', txid: 'paid' }]);
  read.pool.clear();
  for (let turns = 0; turns < 2; turns += 1) {
    watch.pass(16_000);
    await watch.turn();
  }
  expect(read.pool.has('paid')).toBe(true);
}, 30_000);
