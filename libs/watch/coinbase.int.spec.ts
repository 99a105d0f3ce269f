import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import type { ChainTransaction } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;
const OTHER = `0014${'cd'.repeat(20)}`;

/** What a miner makes and pays out by itself: it spends nothing, and is in its block or nowhere. */
const made = (txid: string): ChainTransaction => ({ ...paymentTo(SCRIPT, txid), inputs: [], isCoinbase: true });

type Options = Parameters<typeof watching>[3];

const opened = async (options: Options = {}) => {
  const node = memoryNode('one');
  const watch = watching(database, 'BTC', [node], options);
  await watch.give(SCRIPT, 1);
  await watch.give(OTHER, 2);
  await watch.turn();
  const deepen = async (blocks: number): Promise<void> => {
    for (let nth = 0; nth < blocks; nth += 1) node.mine('all');
    await watch.turns(2);
  };
  /** The chain gives up all but so many blocks, and has one more elsewhere. */
  const giveUp = async (kept: number): Promise<void> => {
    const more = node.branch.length - kept + 1;
    node.branch.splice(kept);
    for (let nth = 0; nth < more; nth += 1) node.mine('others');
    await watch.turns(2);
  };
  const told = async () => (await watch.told()).map(({ type, txid }) => [type, txid]);
  return { node, watch, deepen, giveUp, told };
};

it.each([
  ['one block, once a hundred have it', 1, 100],
  ['more than a hundred, once so many have it', 103, 103],
])('what a miner pays by a coinbase is confirmed, where others wait for %s', async (_, need, deep) => {
  const { node, watch, deepen, told } = await opened({ confirmations: [{ from: 0n, need }] });
  node.mine('all', [made('made'), paymentTo(OTHER, 'paid')]);
  await watch.turn();
  await deepen(deep - 2);
  const seen = [
    ['payment.seen', 'made'],
    ['payment.seen', 'paid'],
  ];
  expect(await told()).toEqual(need === 1 ? [...seen, ['payment.confirmed', 'paid']] : seen);
  await deepen(1);
  expect(await told()).toContainEqual(['payment.confirmed', 'made']);
});

it('is dropped with its block, since no other can ever have it, and what else was there waits', async () => {
  const { node, watch, giveUp, told } = await opened();
  const paid = paymentTo(OTHER, 'paid');
  node.mine('all', [made('made'), paid]);
  const branch = [...node.branch];
  await watch.turn();
  await told();
  node.pool.set('paid', paid);
  await giveUp(1);
  expect(await told()).toEqual([
    ['payment.reorged', 'paid'],
    ['payment.dropped', 'made'],
  ]);
  node.branch.splice(0, node.branch.length, ...branch);
  for (let nth = 0; nth < 3; nth += 1) node.mine('all');
  await watch.turns(2);
  expect(await told()).toContainEqual(['payment.seen', 'made']);
});

it('is told to be reorganised before it is dropped, where it was confirmed', async () => {
  const { node, watch, deepen, giveUp, told } = await opened();
  node.mine('all', [made('made')]);
  await watch.turn();
  await deepen(99);
  expect(await told()).toContainEqual(['payment.confirmed', 'made']);
  await giveUp(1);
  expect(await told()).toEqual([
    ['payment.reorged', 'made'],
    ['payment.dropped', 'made'],
  ]);
});

it('is dropped where a second reading shows its block without it', async () => {
  const { node, watch, deepen, told } = await opened();
  node.mine('all', [made('made')]);
  await watch.turn();
  await deepen(2);
  await told();
  const [block] = node.branch.slice(1);
  if (block) node.branch[1] = { ...block, isProven: true, transactions: [] };
  await deepen(6);
  expect(await told()).toEqual([['payment.dropped', 'made']]);
});

it('passes no guard in its block, which may be given up, and makes nothing fall back', async () => {
  const { node, watch, deepen } = await opened({ isFast: async () => true, confirmations: [{ from: 0n, need: 3 }] });
  const guards = async () =>
    (await watch.told()).flatMap(({ passed, deposit_id: id }) => (passed === undefined ? [] : [[id, passed]]));
  node.mine('all', [made('made'), paymentTo(OTHER, 'paid')]);
  await watch.turn();
  expect(await guards()).toEqual([[2, true]]);
  await deepen(99);
  expect(await guards()).toEqual([]);
});

it('is known by its bytes where an older release recorded it, whichever of its outputs has them', async () => {
  const { node, watch } = await opened();
  const nobodys = `01${'00'.repeat(32)}ffffffff`;
  const pays = (txid: string, raw: string): ChainTransaction => {
    const outputs = [1, 2].map((vout) => ({ vout, script: SCRIPT, amount: 70_000n }));
    return { ...paymentTo(SCRIPT, txid), outputs, raw: () => `01000000${raw}00` };
  };
  node.mine('all', [pays('witnessed', `0001${nobodys}`), pays('bare', nobodys), pays('other', `01${'00'.repeat(31)}`)]);
  await watch.turn();
  const text = await readFile(new URL('./migrations/0008_coinbases.sql', import.meta.url), 'utf8');
  const [up = '', down = ''] = text.split('-- Down Migration');
  await database.pool.query(down);
  await database.pool.query(up);
  const { rows } = await database.pool.query('SELECT txid FROM chain_payments WHERE is_coinbase ORDER BY id');
  expect(rows.map(({ txid }) => txid)).toEqual(['witnessed', 'witnessed', 'bare', 'bare']);
});
