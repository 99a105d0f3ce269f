import { describe, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { databasePerTest } from '../../test/support/with-database.ts';
import { askRescan, migrations } from './index.ts';
import { memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;

it('an output of nothing is told by no setting of dust', async () => {
  const node = memoryNode('one');
  const watch = watching(database, 'BTC', [node], { dust: 0n });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  const outputs = [0n, 1n].map((amount, vout) => ({ vout, script: SCRIPT, amount }));
  node.pool.set('paid', { ...paymentTo(SCRIPT, 'paid'), outputs });
  await watch.turn();
  expect((await watch.told()).map(({ amount }) => amount)).toEqual(['0.00000001']);
});

/** Each spends the one before it, and the last pays us; the first may be replaced. */
const behindReplaceable = ['elder', 'parent', 'paid'].map((txid, nth, all) => ({
  ...paymentTo(txid === 'paid' ? SCRIPT : '0014', txid),
  ...{ inputs: [`${all[nth - 1] ?? 'coin'}:0`], replaceable: nth === 0 },
}));

describe('what is too small to be told of, and leans on what waits,', () => {
  const waiting = async () => {
    const node = memoryNode('one');
    const watch = watching(database, 'BTC', [node], { dust: 100_000n });
    await watch.give(SCRIPT, 1);
    await watch.turn();
    for (const each of behindReplaceable) node.pool.set(each.txid, each);
    await watch.turn();
    return node;
  };

  it('is kept with what it spends itself alone, since anybody may make much of it', async () => {
    await waiting();
    const { rows } = await database.pool.query('SELECT txid, outpoint, via FROM chain_payment_inputs');
    expect(rows).toEqual([{ txid: 'paid', outpoint: 'parent:0', via: 'paid' }]);
  });

  it('is told as one that may be replaced, where it counts by a later setting', async () => {
    const node = await waiting();
    const watch = watching(database, 'BTC', [node], { dust: 1_000n });
    await watch.turn();
    expect(await watch.told()).toMatchObject([{ type: 'payment.seen', txid: 'paid', replaceable: true }]);
    const { rows } = await database.pool.query('SELECT replaceable FROM chain_payments');
    expect(rows).toEqual([{ replaceable: true }]);
    expect((await database.pool.query('SELECT FROM chain_payment_inputs')).rows).toHaveLength(3);
  });
});

describe('what was too small to be told of, and counts by a later setting,', () => {
  const paid = paymentTo(SCRIPT, 'paid');
  const heard = async (watch: ReturnType<typeof watching>) =>
    (await watch.told()).map(({ type, funding_addresses }) => [
      type,
      ...(funding_addresses ? [funding_addresses] : []),
    ]);
  const SEEN = ['payment.seen', ['sender']];

  /** Before, and after the start that has another setting. */
  const lowered = async (mayBe: 'waiting' | 'mined') => {
    const node = { ...memoryNode('one'), sendersOf: async () => ['sender'] };
    const before = watching(database, 'BTC', [node], { dust: 100_000n });
    await before.give(SCRIPT, 1);
    await before.turn();
    if (mayBe === 'waiting') node.pool.set('paid', paid);
    else node.mine('all', [paid]);
    await before.turns(2);
    expect(await heard(before)).toEqual([]);
    return { node, watch: watching(database, 'BTC', [node], { dust: 1_000n }) };
  };

  it('is told and confirmed once its block is read again', async () => {
    const { watch } = await lowered('mined');
    await watch.turn();
    expect(await heard(watch)).toEqual([]);
    await askRescan(database.pool, { chain: 'BTC', from: 1, to: 1 });
    await watch.rescan();
    await watch.turn();
    expect(await heard(watch)).toEqual([SEEN, ['payment.confirmed']]);
    await askRescan(database.pool, { chain: 'BTC', from: 1, to: 1 });
    await watch.rescan();
    await watch.turn();
    expect(await heard(watch)).toEqual([]);
  });

  it('is told where it waits, and confirmed in its block', async () => {
    const { node, watch } = await lowered('waiting');
    await watch.turn();
    expect(await heard(watch)).toEqual([SEEN]);
    node.mine('all', [paid]);
    await watch.turn();
    expect(await heard(watch)).toEqual([['payment.confirmed']]);
  });

  it('is told in the block that it comes into', async () => {
    const { node, watch } = await lowered('waiting');
    node.mine('all', [paid]);
    await watch.turn();
    expect(await heard(watch)).toEqual([SEEN, ['payment.confirmed']]);
  });
});
