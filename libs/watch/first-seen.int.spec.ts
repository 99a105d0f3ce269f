import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { type ChainTransaction, NodeUnreachable } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { type Watching, watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);
const SCRIPT = `0014${'ab'.repeat(20)}`;
const TEN_MINUTES = 600_000;

/** Where payments come from it tells once `state.tells`. */
const reticent = () => {
  const state = { tells: false };
  const sendersOf: MemoryNode['sendersOf'] = async ({ txid }) => {
    if (!state.tells) throw new NodeUnreachable('it does not answer');
    return [`sender of ${txid}`];
  };
  return { node: { ...memoryNode('one'), sendersOf }, state };
};

const started = async (node: MemoryNode): Promise<Watching> => {
  const watch = watching(database, 'BTC', [node]);
  await watch.give(SCRIPT, 1);
  await watch.turn();
  return watch;
};

const paymentsOf = (count: number): readonly ChainTransaction[] =>
  Array.from({ length: count }, (_, nth) => paymentTo(SCRIPT, `paid ${nth}`));

/** In a block whose time is so much after now. */
const mine = ({ mine: mineBy, branch }: MemoryNode, payments: readonly ChainTransaction[], afterMs: number): void => {
  mineBy('all', payments);
  const last = branch.at(-1);
  if (last) branch.splice(-1, 1, { ...last, time: last.time + afterMs / 1_000 });
};

/** Of each payment that was told, how many seconds after `from` it was seen. */
const seenAfter = async (watch: Watching, from: number): Promise<readonly number[]> =>
  (await watch.told())
    .filter(({ type }) => type === 'payment.seen')
    .map(({ at }) => Math.round((new Date(String(at)).getTime() - from) / 1_000));

describe('what came before nodes told where it comes from was seen then', () => {
  it.each([
    ['by the same watcher', 1, false],
    ['by one that was started anew', 1, true],
    ['of so many that waited', 130, false],
  ])(
    'once it is in a block, %s',
    async (_, count, isAnew) => {
      const { node, state } = reticent();
      const watch = await started(node);
      const payments = paymentsOf(count);
      for (const payment of payments) node.pool.set(payment.txid, payment);
      const from = Date.now();
      await watch.turn();
      state.tells = true;
      mine(node, payments, TEN_MINUTES);
      const later = isAnew ? watching(database, 'BTC', [node]) : watch;
      later.pass(TEN_MINUTES);
      await later.turn();
      const seconds = await seenAfter(later, from);
      expect([seconds.length, Math.max(...seconds) < 10]).toEqual([count, true]);
    },
    30_000,
  );

  it('where nobody was asked in that turn, and it is in a block with the next', async () => {
    const node = memoryNode('slow');
    const sendersOf: MemoryNode['sendersOf'] = async ({ txid }) => {
      if (txid === 'paid 0') await delay(3_200);
      return [`sender of ${txid}`];
    };
    const watch = await started({ ...node, sendersOf });
    const payments = paymentsOf(2);
    for (const payment of payments) node.pool.set(payment.txid, payment);
    const from = Date.now();
    await watch.turn();
    mine(node, payments, TEN_MINUTES);
    watch.pass(TEN_MINUTES);
    await watch.turn();
    expect((await seenAfter(watch, from)).map((seconds) => seconds < 10)).toEqual([true, true]);
  }, 30_000);

  it('and no later than its block says, where a node showed it behind that', async () => {
    const { node, state } = reticent();
    const watch = await started(node);
    for (const payment of paymentsOf(1)) node.pool.set(payment.txid, payment);
    await watch.turn();
    state.tells = true;
    mine(node, paymentsOf(1), -TEN_MINUTES);
    await watch.turn();
    const ofBlock = (node.branch.at(-1)?.time ?? 0) * 1_000;
    expect(await seenAfter(watch, ofBlock)).toEqual([0]);
  });
});

it('each of many that wait, and whose senders nobody tells, goes to review after a minute', async () => {
  const { node } = reticent();
  const watch = await started(node);
  for (const payment of paymentsOf(130)) node.pool.set(payment.txid, payment);
  await watch.turns(2);
  watch.pass(61_000);
  await watch.turns(2);
  expect((await watch.told()).filter(({ type }) => type === 'payment.seen')).toHaveLength(130);
}, 60_000);

it('many that wait, and whose senders nobody tells, hold no block for more than its minute', async () => {
  const { node } = reticent();
  const watch = await started(node);
  for (const payment of paymentsOf(130)) node.pool.set(payment.txid, payment);
  node.mine('all', [paymentTo(SCRIPT, 'mined')]);
  // What waits is looked at beside a block that is held from the fourth on.
  await watch.turns(6);
  watch.pass(61_000);
  await watch.turns(2);
  expect((await watch.report())?.height).toBe(1);
}, 60_000);
