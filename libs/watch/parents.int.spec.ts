import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import type { ChainNode, ChainTransaction } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;

const spending = (...txids: readonly string[]): Pick<ChainTransaction, 'inputs'> => ({
  inputs: txids.map((txid) => `${txid}:0`),
});

const parentsOf = (count: number, raw: (nth: number) => string): readonly ChainTransaction[] =>
  Array.from({ length: count }, (_, nth) => ({ ...paymentTo('0014', `parent ${nth}`), raw: () => raw(nth) }));

/** Out of all of them at once. */
const paidOutOf = (parents: readonly ChainTransaction[]): ChainTransaction => ({
  ...paymentTo(SCRIPT, 'paid'),
  ...spending(...parents.map(({ txid }) => txid)),
  raw: () => 'paid',
});

const list = ({ pool }: MemoryNode, transactions: readonly ChainTransaction[]): void => {
  for (const each of transactions) pool.set(each.txid, each);
};

/** It takes nothing of what it is sent. */
const refuse = (node: MemoryNode): readonly string[] => {
  const sent: string[] = [];
  const submit: ChainNode['submit'] = async (raw) => {
    sent.push(raw);
    return { isIn: false, reason: 'bad-txns-inputs-missingorspent' };
  };
  Object.assign(node, { submit });
  return sent;
};

/** What a node is asked for, and by what; `answers` may be slow, or other than what its name proves. */
const asking = (node: MemoryNode, answers: { readonly raw?: ChainNode['raw']; readonly slowMs?: number } = {}) => {
  const asked = { alone: [] as string[], listed: [] as string[] };
  const { transactions, raw } = node;
  Object.assign(node, {
    raw: async (txid: string) => {
      asked.alone.push(txid);
      return (txid === 'paid' ? raw : (answers.raw ?? raw))(txid);
    },
    transactions: async (txids: readonly string[]) => {
      asked.listed.push(...txids);
      if (answers.slowMs !== undefined && !txids.includes('paid')) await delay(answers.slowMs);
      return transactions(txids);
    },
  });
  return asked;
};

const two = async () => {
  const [read, other] = [memoryNode('read'), memoryNode('other')];
  const watch = watching(database, 'BTC', [read, other], { agree: 2 });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  return { watch, read, other };
};

describe('of what a payment leans on', () => {
  it('no bytes are sent but those that were read by its name', async () => {
    const { watch, read, other } = await two();
    const sent = refuse(other);
    const parents = parentsOf(20, (nth) => `by name ${nth}`);
    list(read, [...parents, paidOutOf(parents)]);
    const asked = asking(read, { raw: async () => 'made up' });
    await watch.turn();
    expect(sent).toEqual([...parents.map(({ raw }) => raw?.()), 'paid']);
    expect(asked.alone.filter((txid) => txid !== 'paid')).toEqual([]);
  });

  it('nor once it was told, to whoever lacks it', async () => {
    const { watch, read, other } = await two();
    const parents = parentsOf(20, (nth) => `by name ${nth}`);
    const all = [...parents, paidOutOf(parents)];
    for (const node of [read, other]) list(node, all);
    await watch.turn();
    asking(other, { raw: async () => 'made up' });
    const sent = refuse(read);
    read.pool.clear();
    watch.pass(16_000);
    await watch.turn();
    expect([...new Set(sent)]).toEqual(all.map(({ raw }) => raw?.()));
  });

  it('nobody is asked for the bytes while all have the payment', async () => {
    const { watch, read, other } = await two();
    const parents = parentsOf(20, () => '00');
    for (const node of [read, other]) list(node, [...parents, paidOutOf(parents)]);
    await watch.turn();
    const asked = [read, other].map((node) => asking(node));
    watch.pass(16_000);
    await watch.turn();
    expect(asked.flatMap(({ alone, listed }) => [...alone, ...listed]).filter((txid) => txid !== 'paid')).toEqual([]);
  });

  it.each([
    ['has more parents than any policy lets wait', parentsOf(101, (nth) => `${nth}`)],
    ['has thousands of them', parentsOf(2_500, (nth) => `${nth}`)],
    ['has larger ones than any policy lets wait', parentsOf(10, (nth) => `${nth}`.repeat(300_000))],
  ])('nothing is sent where it %s: the payment is sent alone', async (_, parents) => {
    const { watch, read, other } = await two();
    const sent = refuse(other);
    list(read, [...parents, paidOutOf(parents)]);
    await watch.turn();
    expect(sent).toEqual(['paid']);
  });

  it('no more than five hundred are read, however many it names at once', async () => {
    const { watch, read, other } = await two();
    refuse(other);
    const parents = parentsOf(2_500, () => '00');
    list(read, parents);
    await watch.turns(3);
    const asked = asking(read);
    list(read, [paidOutOf(parents)]);
    await watch.turn();
    // It is itself read once more with what leans on something, behind all else.
    expect(asked.listed.filter((txid) => txid !== 'paid')).toHaveLength(500);
  });

  it('nothing more is sent to a node once nobody waits for its answer', async () => {
    const { watch, read, other } = await two();
    let sent = 0;
    const submit: ChainNode['submit'] = async () => {
      sent += 1;
      await delay(500);
      return { isIn: false, reason: 'bad-txns-inputs-missingorspent' };
    };
    Object.assign(other, { submit });
    const parents = parentsOf(30, () => '00');
    list(read, [...parents, paidOutOf(parents)]);
    await watch.turn();
    await delay(3_000);
    expect(sent).toBeLessThan(9);
  });

  it('a slow node is asked for some seconds of a turn, and nothing is sent before it has given all', async () => {
    const { watch, read, other } = await two();
    const sent = refuse(other);
    const chain = parentsOf(10, (nth) => `by name ${nth}`).map((each, nth) => ({
      ...each,
      ...spending(`parent ${nth + 1}`),
    }));
    list(read, [...chain, paidOutOf(chain.slice(0, 1))]);
    asking(read, { slowMs: 500 });
    const from = performance.now();
    await watch.turn();
    expect(performance.now() - from).toBeLessThan(8_000);
    expect(sent).toEqual([]);
    while (sent.length === 0) await watch.turn();
    expect(sent).toEqual([...chain.toReversed().map(({ raw }) => raw?.()), 'paid']);
  });
});

it('however slow a node is at what many payments lean on, a turn has other things to do', async () => {
  const node = memoryNode('one');
  const watch = watching(database, 'BTC', [node]);
  await watch.give(SCRIPT, 1);
  await watch.turn();
  const parents = parentsOf(12, () => '00');
  const paid = parents.map(({ txid }) => ({ ...paymentTo(SCRIPT, `paid out of ${txid}`), ...spending(txid) }));
  list(node, [...paid, ...parents]);
  const { transactions } = node;
  Object.assign(node, {
    transactions: async (txids: readonly string[]) => {
      if (txids.every((txid) => txid.startsWith('parent'))) await delay(1_000);
      return transactions(txids);
    },
  });
  const from = performance.now();
  await watch.turn();
  expect(performance.now() - from).toBeLessThan(8_000);
  await watch.turns(4);
  expect(await watch.told()).toHaveLength(12);
}, 60_000);

it('a payment of which more waits than is read counts as one that may be replaced', async () => {
  const node = memoryNode('one');
  const watch = watching(database, 'BTC', [node]);
  await watch.give(SCRIPT, 1);
  await watch.turn();
  const parents = parentsOf(501, () => '00');
  list(node, [...parents, paidOutOf(parents)]);
  await watch.turn();
  expect(await watch.told()).toMatchObject([{ type: 'payment.seen', txid: 'paid' }]);
  const { rows } = await database.pool.query('SELECT replaceable FROM chain_payments');
  expect(rows).toEqual([{ replaceable: true }]);
});

/** By an index it gives what blocks have had for long, too. */
const keepIndex = (node: MemoryNode): void => {
  const minedOne = (txid: string): ChainTransaction => ({
    ...paymentTo('0014', txid),
    ...spending(`${txid}.1`, `${txid}.2`, `${txid}.3`),
  });
  Object.assign(node, {
    transactions: async (txids: readonly string[]) => txids.map((txid) => node.pool.get(txid) ?? minedOne(txid)),
    raw: async (txid: string) => (node.pool.get(txid) ?? minedOne(txid)).raw?.(),
    hasWaiting: async (txid: string) => node.pool.has(txid),
  });
};

it('what another lists is sent to the node that is read without what blocks have had for long', async () => {
  const [read, other] = [memoryNode('read'), memoryNode('other')];
  const watch = watching(database, 'LTC', [read, other]);
  await watch.give(SCRIPT, 1);
  await watch.turn();
  const [parent] = parentsOf(1, () => 'parent') as [ChainTransaction];
  list(other, [{ ...parent, ...spending('mined') }, paidOutOf([parent])]);
  for (const node of [read, other]) keepIndex(node);
  const sent = refuse(read);
  await watch.listElsewhere();
  expect(sent).toEqual(['parent', 'paid']);
});
