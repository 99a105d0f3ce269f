import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { NodeUnreachable } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { askRescan, migrations, rescanReports } from './index.ts';
import { memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;

/** Where the chain was applied, and what is kept of it there. */
const applied = async () =>
  (
    await database.pool.query<{ height: number; hash: string; kept: string }>(
      'SELECT height, t.hash, b.hash AS kept FROM chain_tips t JOIN chain_blocks b USING (chain, height)',
    )
  ).rows[0];

it('a rescan in the moment in which another node is read, which never had the newest block, gives that up for nobody', async () => {
  const [a, b] = [memoryNode('a'), memoryNode('b')];
  for (let nth = 0; nth < 3; nth += 1) a.mine('all');
  b.follow(a);
  const watch = watching(database, 'BTC', [a, b]);
  await watch.give(SCRIPT, 1);
  await watch.turn();
  a.mine('a', [paymentTo(SCRIPT, 'paid')]);
  b.mine('b');
  await watch.turns(2);
  const heard = async () => (await watch.told()).map(({ type }) => type);
  expect(await heard()).toEqual(['payment.seen', 'payment.confirmed']);
  await askRescan(database.pool, { chain: 'BTC', from: 4, to: 4 });

  const { tip, hashAt, mempool, block } = a;
  const gone = () => Promise.reject(new NodeUnreachable('it does not answer'));
  Object.assign(a, { tip: gone, hashAt: gone, mempool: gone, block: gone });
  const theirs = b.hashAt;
  let isBeside = false;
  const beside: typeof theirs = async (height) => {
    if (!isBeside) {
      isBeside = true;
      await watch.rescan();
      isBeside = false;
    }
    return theirs(height);
  };
  Object.assign(b, { hashAt: beside });
  await watch.turn();
  expect([await heard(), watch.alerts()]).toEqual([[], expect.not.arrayContaining(['chain_healed'])]);
  expect(await applied()).toEqual({ height: 4, hash: a.branch[4]?.hash, kept: a.branch[4]?.hash });
  expect(await rescanReports(database.pool, 'BTC')).toMatchObject([{ state: 'open', passed: 0 }]);

  Object.assign(b, { hashAt: theirs });
  for (let nth = 0; nth < 4; nth += 1) b.mine('all');
  Object.assign(a, { tip, hashAt, mempool, block });
  a.follow(b);
  await watch.turns(3);
  expect(await watch.report()).toMatchObject({ height: 8, held: null });
  expect(await heard()).toContain('payment.reorged');
});

it('nothing is read again while the node that is read is on another branch, also once that is told of for a person', async () => {
  const [a, b] = [memoryNode('a'), memoryNode('b')];
  for (let nth = 0; nth < 3; nth += 1) a.mine('all');
  b.follow(a);
  const watch = watching(database, 'BTC', [a, b]);
  await watch.turn();
  a.mine('a');
  await watch.turns(2);
  for (let nth = 0; nth < 3; nth += 1) b.mine('b');
  const gone = () => Promise.reject(new NodeUnreachable('it does not answer'));
  Object.assign(a, { tip: gone, hashAt: gone, mempool: gone, block: gone });
  await askRescan(database.pool, { chain: 'BTC', from: 4, to: 4 });
  await database.pool.query("UPDATE chain_rescans SET waits_since = now() - interval '11 minutes'");
  for (let nth = 0; nth < 4; nth += 1) {
    watch.pass(30_000);
    await watch.turn();
    await watch.rescan();
  }
  expect(await watch.report()).toMatchObject({
    height: 4,
    held: { reason: expect.stringContaining('a person has to see') },
  });
  expect(await rescanReports(database.pool, 'BTC')).toMatchObject([{ state: 'open', passed: 0 }]);
});
