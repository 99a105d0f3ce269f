import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { NodeRefused, NodeUnreachable, NodeUnreadable } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { askRescan, migrations, rescanReports } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { type Watching, watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const [OURS, ANOTHERS] = [`0014${'ab'.repeat(20)}`, `0014${'cd'.repeat(20)}`];

const errors = {
  'does not answer': new NodeUnreachable('it sends more than 1000 bytes'),
  refuses: new NodeRefused('getrawtransaction', -1, 'work queue depth exceeded'),
  'sends what nobody can read': new NodeUnreadable('it sends what cannot be read'),
};

/** It tells where payments come from, but not of `paid` while `failure` says why. */
const reticent = (name: string, failure: Error = errors['does not answer']) => {
  const [node, asked]: [MemoryNode, string[]] = [memoryNode(name), []];
  const state: { failure: Error | undefined } = { failure };
  const sendersOf: MemoryNode['sendersOf'] = async ({ txid }) => {
    asked.push(txid);
    if (txid === 'paid' && state.failure) throw state.failure;
    return [`sender of ${txid}`];
  };
  return { node: { ...node, sendersOf }, asked, state };
};

const started = async (...nodes: readonly MemoryNode[]): Promise<Watching> => {
  const watch = watching(database, 'BTC', nodes);
  await watch.give(OURS, 1);
  await watch.give(ANOTHERS, 2);
  await watch.turn();
  return watch;
};

const heard = async (watch: Watching) =>
  (await watch.told()).map(({ type, deposit_id, funding_addresses, status, unknown_senders_of }) => [
    ...[deposit_id, type],
    ...(funding_addresses ? [funding_addresses] : []),
    ...(status ? [status, unknown_senders_of] : []),
  ]);

const UNKNOWN = [
  [1, 'payment.seen', []],
  [1, 'kyt.completed', 'review', 'paid'],
];
const OTHER = [2, 'payment.seen', ['sender of other']];

const firstSeen = async (): Promise<number> => {
  const { rows } = await database.pool.query<{ seen_at: Date }>(
    "SELECT seen_at FROM chain_payments WHERE txid = 'paid'",
  );
  return rows[0]?.seen_at.getTime() ?? Number.NaN;
};

const aMinuteOf = async (watch: Watching): Promise<void> => {
  await watch.turns(2);
  watch.pass(61_000);
  await watch.turns(2);
};

describe('where a payment comes from, which no node tells,', () => {
  it.each(Object.entries(errors))(
    'and which it %s, holds a block for a minute, then goes to review',
    async (_, error) => {
      const { node } = reticent('one', error);
      const watch = await started(node);
      node.mine('all', [paymentTo(OURS, 'paid')]);
      node.mine('all', [paymentTo(ANOTHERS, 'other')]);
      await watch.turns(2);
      expect([(await watch.report())?.height, await heard(watch)]).toEqual([0, []]);
      watch.pass(61_000);
      await watch.turns(2);
      expect(await heard(watch)).toEqual([...UNKNOWN, OTHER, [1, 'payment.confirmed'], [2, 'payment.confirmed']]);
      expect(await watch.report()).toMatchObject({ height: 2, held: null });
      await watch.turns(3);
      expect(watch.alerts().filter((alert) => alert === 'chain_senders_unknown')).toHaveLength(1);
    },
  );

  it('keeps no other of the mempool waiting meanwhile, and is not asked again once it is in a block', async () => {
    const { node, asked } = reticent('one');
    const watch = await started(node);
    node.pool.set('paid', paymentTo(OURS, 'paid'));
    node.pool.set('other', paymentTo(ANOTHERS, 'other'));
    await watch.turn();
    expect(await heard(watch)).toEqual([OTHER]);
    await aMinuteOf(watch);
    expect(await heard(watch)).toEqual(UNKNOWN);
    expect(await firstSeen()).toBeLessThan(Date.now() + 1_000);
    asked.length = 0;
    node.mine('all', [paymentTo(OURS, 'paid'), paymentTo(ANOTHERS, 'other')]);
    await watch.turns(2);
    expect(await heard(watch)).toEqual([
      [2, 'payment.confirmed'],
      [1, 'payment.confirmed'],
    ]);
    expect([asked, watch.alerts()]).toEqual([[], ['chain_senders_unknown']]);
  });

  it('is waited for where an operator has a block read again, and then it goes to review', async () => {
    const { node } = reticent('one');
    const watch = watching(database, 'BTC', [node]);
    await watch.turn();
    node.mine('all', [paymentTo(OURS, 'paid')]);
    await watch.turn();
    await watch.give(OURS, 1);
    await askRescan(database.pool, { chain: 'BTC', from: 1, to: 1 });
    await watch.rescan();
    await watch.rescan();
    expect([await heard(watch), await rescanReports(database.pool, 'BTC')]).toMatchObject([[], [{ state: 'open' }]]);
    watch.pass(61_000);
    await watch.rescan();
    expect((await heard(watch)).slice(0, 2)).toEqual(UNKNOWN);
    expect(await rescanReports(database.pool, 'BTC')).toMatchObject([{ state: 'done', passed: 0, found: 1 }]);
  });
});

describe('where a payment comes from', () => {
  const KNOWN = [1, 'payment.seen', ['sender of paid']];

  it('is told late by a node that was away, and by no review', async () => {
    const { node, state } = reticent('one');
    const watch = await started(node);
    node.mine('all', [paymentTo(OURS, 'paid')]);
    await watch.turn();
    watch.pass(300_000);
    state.failure = undefined;
    await watch.turn();
    expect(await heard(watch)).toEqual([KNOWN, [1, 'payment.confirmed']]);
    expect(watch.alerts()).not.toContain('chain_senders_unknown');
  });

  it.each(['in a block', 'in the mempool'])('%s is asked of the others where one does not tell it', async (where) => {
    const [{ node: sick }, { node: well, state }] = [reticent('sick'), reticent('well')];
    state.failure = undefined;
    const watch = await started(sick, well);
    if (where === 'in a block') sick.mine('all', [paymentTo(OURS, 'paid')]);
    else sick.pool.set('paid', paymentTo(OURS, 'paid'));
    well.follow(sick);
    await watch.turn();
    expect((await heard(watch))[0]).toEqual(KNOWN);
  });

  it('is asked of no node for a payment that is too small to be told of', async () => {
    const { node, asked } = reticent('one');
    const watch = watching(database, 'BTC', [node], { dust: 100_000n });
    await watch.give(OURS, 1);
    await watch.turn();
    node.mine('all', [paymentTo(OURS, 'paid')]);
    await watch.turn();
    expect([(await watch.report())?.height, asked]).toEqual([1, []]);
  });
});

it('a node that does not answer is asked once in a block that pays many, while another tells', async () => {
  const [silent, telling] = [reticent('silent'), reticent('telling')];
  telling.state.failure = undefined;
  const watch = await started(silent.node, telling.node);
  silent.node.mine('all', [paymentTo(OURS, 'paid'), paymentTo(ANOTHERS, 'other')]);
  telling.node.follow(silent.node);
  await watch.turn();
  expect([silent.asked, telling.asked]).toEqual([['paid'], ['paid', 'other']]);
});

it('a node that does not answer where a payment comes from goes on counting among those that have to agree', async () => {
  const [silent, telling] = [reticent('silent'), reticent('telling')];
  telling.state.failure = undefined;
  const proving = { ...telling.node, provenSendersOf: telling.node.sendersOf };
  const watch = watching(database, 'BTC', [silent.node, proving], { agree: 2 });
  await watch.give(OURS, 1);
  await watch.turn();
  silent.node.mine('all', [paymentTo(OURS, 'paid')]);
  proving.follow(silent.node);
  await watch.turn();
  expect(await heard(watch)).toEqual([
    [1, 'payment.seen', ['sender of paid']],
    [1, 'payment.confirmed'],
  ]);
});

it('a node that is slow at proving where a payment comes from says all the same what a block pays', async () => {
  const nodes = ['read', 'slow'].map((name) => {
    const { node, state } = reticent(name);
    state.failure = undefined;
    return { ...node, provenSendersOf: () => Promise.reject(errors['does not answer']) };
  });
  const watch = watching(database, 'DASH', nodes, { agree: 2 });
  await watch.give(OURS, 1);
  await watch.turn();
  nodes[0]?.mine('all', [paymentTo(OURS, 'paid')]);
  if (nodes[0]) nodes[1]?.follow(nodes[0]);
  await watch.turn();
  expect(await heard(watch)).toEqual([
    [1, 'payment.seen', ['sender of paid']],
    [1, 'payment.confirmed'],
  ]);
});

it('what takes nodes long to say of many payments that wait is asked in several turns, and told as first seen', async () => {
  const [{ node, state, asked }, slowMs] = [reticent('slow'), 2_000];
  state.failure = undefined;
  const sendersOf: MemoryNode['sendersOf'] = async (transaction) => {
    await delay(slowMs);
    return node.sendersOf(transaction);
  };
  const watch = await started({ ...node, sendersOf });
  for (let nth = 1; nth <= 4; nth += 1) node.pool.set(`paid ${nth}`, paymentTo(OURS, `paid ${nth}`));
  await watch.turn();
  expect(asked.length).toBeLessThan(4);
  watch.pass(60_000);
  await watch.turns(3);
  expect((await heard(watch)).map(([, , senders]) => senders)).toEqual(
    [1, 2, 3, 4].map((nth) => [`sender of paid ${nth}`]),
  );
  const { rows } = await database.pool.query('SELECT DISTINCT seen_at < $1 AS early FROM chain_payments', [
    new Date(Date.now() + 30_000),
  ]);
  expect(rows).toEqual([{ early: true }]);
}, 30_000);

it('one that takes all of a turn, and is not told then, keeps no other from being asked with the next', async () => {
  const { node } = reticent('slow');
  const sendersOf: MemoryNode['sendersOf'] = async ({ txid }) => {
    if (txid !== 'hangs') return [`sender of ${txid}`];
    await delay(3_200);
    throw errors['does not answer'];
  };
  const watch = await started({ ...node, sendersOf });
  for (const txid of ['hangs', 'paid 1', 'paid 2']) node.pool.set(txid, paymentTo(OURS, txid));
  await watch.turns(2);
  expect((await heard(watch)).map(([, , senders]) => senders)).toEqual([['sender of paid 1'], ['sender of paid 2']]);
}, 30_000);

describe('a payment of coins that name nobody', () => {
  const partial = (name: string, senders: readonly (string | undefined)[]): MemoryNode => ({
    ...memoryNode(name),
    sendersOf: async ({ txid }) => (txid === 'paid' ? senders : ['sender of other']),
  });

  it.each([
    ['all', [undefined], []],
    ['some', ['named', undefined], ['named']],
  ])('goes to review where that are %s of them, a later one of its deposit too', async (_, told, named) => {
    const node = partial('one', told);
    const watch = await started(node);
    node.pool.set('first', paymentTo(OURS, 'first'));
    await watch.turn();
    node.pool.set('paid', paymentTo(OURS, 'paid'));
    await watch.turn();
    expect(await heard(watch)).toEqual([
      [1, 'payment.seen', ['sender of other']],
      [1, 'payment.seen', named],
      [1, 'kyt.completed', 'review', 'paid'],
    ]);
  });

  it('does not where another node tells all of it', async () => {
    const [one, other] = [partial('one', [undefined]), partial('other', ['all of it'])];
    const watch = await started(one, other);
    one.pool.set('paid', paymentTo(OURS, 'paid'));
    await watch.turn();
    expect(await heard(watch)).toEqual([[1, 'payment.seen', ['all of it']]]);
  });
});
