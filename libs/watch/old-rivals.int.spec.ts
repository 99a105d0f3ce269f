import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { type ChainNode, type ChainTransaction, NodeRefused, NodeUnreachable } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { type Watching, watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0x${'ab'.repeat(20)}`;
const paid = paymentTo(SCRIPT, 'paid');
const rival = { ...paymentTo(`0x${'99'.repeat(20)}`, 'rival'), inputs: paid.inputs };
const usesUp = { ...paymentTo(`0x${'99'.repeat(20)}`, 'caller'), usedUp: paid.inputs };
const failed = { ...paid, outputs: [] };

const heard = async (watch: Watching) =>
  (await watch.told()).map(({ type, replaced_by: by }) => [type, by].filter(Boolean).join(' '));

const CALLS_GONE = new NodeRefused('debug_traceBlockByHash', -32_000, 'required historical state unavailable');

/** It keeps blocks and receipts, and no longer the state by which it tells calls. */
const prune = (node: MemoryNode): void => {
  const there: ChainNode['block'] = async (hash) => node.branch.find((block) => block.hash === hash);
  const spending: ChainNode['spending'] = async (hash) =>
    (await there(hash))?.transactions.map(({ txid, inputs }) => ({ txid, inputs }));
  const isFailed = ({ txid, outputs }: ChainTransaction) => txid === 'paid' && outputs.length === 0;
  const failedAt: ChainNode['failed'] = async (txid) =>
    node.branch.find(({ transactions }) => transactions.some((each) => each.txid === txid && isFailed(each)))?.hash;
  const block: ChainNode['block'] = async () => Promise.reject(CALLS_GONE);
  Object.assign(node, { block, spending, failed: failedAt });
};

/** Longer than it is waited for in a turn. */
const hangs = async (): Promise<never> => {
  await delay(4_000, undefined, { ref: false });
  throw new NodeUnreachable('it does not answer');
};

/** While nobody watches a block comes that three nodes have, of two of which nobody hears any calls of it. */
const afterAnOutage = async (
  mined: ChainTransaction,
  pruned: (nodes: readonly MemoryNode[]) => void = () => undefined,
) => {
  const nodes = [memoryNode('archive'), memoryNode('b'), memoryNode('c')] as const;
  const [archive, ...others] = nodes;
  const begin = (): Watching => watching(database, 'ETH', nodes, { agree: 2 });
  const before = begin();
  await before.give(SCRIPT, 1);
  await before.turn();
  for (const { pool } of nodes) pool.set('paid', paid);
  await before.turn();
  expect(await heard(before)).toEqual(['payment.seen']);
  for (const { pool } of nodes) pool.clear();
  archive.mine('all', [mined]);
  for (const other of others) other.follow(archive);
  for (const other of others) prune(other);
  pruned(others);
  return begin();
};

describe('after an outage, of a block of which one node alone still tells the calls', () => {
  it.each([
    ['what took the place of a payment', rival, 'payment.double_spent rival'],
    ['that a payment came to nothing', failed, 'payment.dropped'],
  ])('others tell by themselves %s', async (_, mined, told) => {
    const watch = await afterAnOutage(mined);
    await watch.turns(2);
    expect(await heard(watch)).toEqual([told]);
  });

  it('what took the place of a payment is told where the others hang at the calls', async () => {
    const watch = await afterAnOutage(rival, (others) => {
      for (const other of others) Object.assign(other, { block: hangs });
    });
    await watch.turns(2);
    expect(await heard(watch)).toEqual(['payment.double_spent rival']);
  });

  it('nothing ends by what two others have not got in it', async () => {
    const watch = await afterAnOutage(rival, (others) => {
      for (const other of others) Object.assign(other, { spending: async () => [] });
    });
    await watch.turns(2);
    expect(await heard(watch)).toEqual([]);
    expect(watch.alerts()).toEqual(['chain_spending_differs']);
  });

  it('what its calls alone tell is told to an operator once it stays open, and ends nothing', async () => {
    const watch = await afterAnOutage(usesUp);
    await watch.turns(2);
    expect([await heard(watch), watch.alerts()]).toEqual([[], []]);
    watch.pass(10 * 60_000);
    await watch.turns(2);
    expect(await heard(watch)).toEqual([]);
    expect(watch.alarms().filter(({ alert }) => alert === 'chain_spending_unshown')).toMatchObject([
      { chain: 'ETH', height: 1, payments: ['paid'], agree: 2 },
    ]);
  });

  it('is not asked for with each turn once that was in vain for a minute', async () => {
    let asked = 0;
    const watch = await afterAnOutage(usesUp, (others) => {
      for (const other of others)
        Object.assign(other, {
          block: async () => {
            asked += 1;
            throw new NodeUnreachable('it does not answer');
          },
        });
    });
    await watch.turns(2);
    expect(asked).toBeGreaterThanOrEqual(4);
    watch.pass(60_000);
    await watch.turn();
    asked = 0;
    await watch.turns(3);
    expect(asked).toBe(0);
    watch.pass(30_000);
    await watch.turn();
    expect(asked).toBe(2);
  });
});

it('a block of which too few tell anything keeps no later one waiting', async () => {
  const nodes = [memoryNode('archive'), memoryNode('b'), memoryNode('c')] as const;
  const [archive, ...others] = nodes;
  const watch = watching(database, 'ETH', nodes, { agree: 2 });
  await watch.give(SCRIPT, 1);
  await watch.give(`${SCRIPT}2`, 2);
  await watch.turn();
  const later = paymentTo(`${SCRIPT}2`, 'later');
  for (const { pool } of nodes) for (const each of [paid, later]) pool.set(each.txid, each);
  await watch.turn();
  expect(await heard(watch)).toHaveLength(2);
  for (const { pool } of nodes) pool.clear();
  archive.mine('all', [usesUp]);
  archive.mine('all', [{ ...paymentTo('0x', 'thief'), usedUp: later.inputs }]);
  for (const other of others) other.follow(archive);
  const [old = ''] = archive.branch.slice(1).map(({ hash }) => hash);
  for (const other of others) {
    const { block } = other;
    Object.assign(other, { block: (hash: string) => (hash === old ? hangs() : block(hash)) });
  }
  const told: string[] = [];
  for (let nth = 0; nth < 4; nth += 1) {
    await watch.turn();
    told.push(...(await heard(watch)));
  }
  expect(told).toEqual(['payment.double_spent thief']);
}, 60_000);
