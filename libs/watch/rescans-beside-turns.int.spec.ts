import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { NodeUnreachable } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { askRescan, migrations, rescanReports } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
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
  for (const { lacks } of [a, b]) lacks.set(2, new NodeUnreachable('it does not answer'));
  await askRescan(database.pool, { chain: 'BTC', from: 2, to: 2 });
  for (let nth = 0; nth < 10; nth += 1) {
    await watch.rescan();
    watch.pass(60_000);
    await watch.turn();
  }
  a.mine('a');
  await watch.turns(2);
  for (let nth = 0; nth < 3; nth += 1) b.mine('b');
  const gone = () => Promise.reject(new NodeUnreachable('it does not answer'));
  Object.assign(a, { tip: gone, hashAt: gone, mempool: gone, block: gone });
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

/** What is done in the middle of a reading, once it has begun; each time, or the first time alone. */
const beside = (node: MemoryNode, hash: string | undefined, work: () => Promise<unknown>, isEachTime = false): void => {
  const { block } = node;
  let [isBeside, times] = [false, 0];
  const reading: typeof block = async (asked) => {
    if (asked === hash && !isBeside && (isEachTime || times === 0)) {
      [isBeside, times] = [true, times + 1];
      await work();
      isBeside = false;
    }
    return block(asked);
  };
  Object.assign(node, { block: reading });
};

it('a rescan gets on where each block takes longer to be read than the next one takes to come', async () => {
  const a = memoryNode('a');
  for (let nth = 0; nth < 3; nth += 1) a.mine('all');
  const watch = watching(database, 'ETH', [a]);
  await watch.turn();
  for (let nth = 0; nth < 2; nth += 1) a.mine('a', [{ ...paymentTo(SCRIPT, `paid ${nth}`), senders: ['0xsender'] }]);
  await watch.turns(2);
  await watch.give(SCRIPT, 1);
  await askRescan(database.pool, { chain: 'ETH', from: 4, to: 5 });
  for (const height of [4, 5])
    beside(
      a,
      a.branch[height]?.hash,
      async () => {
        a.mine('all');
        await watch.turn();
      },
      true,
    );
  for (let nth = 0; nth < 3; nth += 1) await watch.rescan();
  expect(await rescanReports(database.pool, 'ETH')).toMatchObject([{ state: 'done', found: 2 }]);
  expect((await watch.told()).filter(({ type }) => type === 'payment.seen')).toMatchObject([
    { txid: 'paid 0' },
    { txid: 'paid 1' },
  ]);
});

it('nothing is taken from a block that is given up while it is read again', async () => {
  const a = memoryNode('a');
  for (let nth = 0; nth < 3; nth += 1) a.mine('all');
  const watch = watching(database, 'BTC', [a]);
  await watch.turn();
  a.mine('a', [paymentTo(SCRIPT, 'paid')]);
  await watch.turns(2);
  await watch.give(SCRIPT, 1);
  await askRescan(database.pool, { chain: 'BTC', from: 4, to: 4 });
  const { block } = a;
  const old = a.branch[4];
  beside(a, old?.hash, async () => {
    a.branch.splice(4);
    for (let nth = 0; nth < 2; nth += 1) a.mine('other branch');
    await watch.turns(2);
  });
  const now = a.block;
  Object.assign(a, { block: async (hash: string) => (await now(hash)) ?? (hash === old?.hash ? old : undefined) });
  await watch.rescan();
  expect(await watch.report()).toMatchObject({ height: 5, held: null });
  expect(await watch.told()).toEqual([]);
  expect(await rescanReports(database.pool, 'BTC')).toMatchObject([{ state: 'open', found: 0 }]);
  Object.assign(a, { block });
  await watch.rescan();
  expect(await rescanReports(database.pool, 'BTC')).toMatchObject([{ state: 'done', found: 0, passed: 0 }]);
});

it('what another reading took out of a block, and is mined since, stays where it is', async () => {
  const [a, b] = [memoryNode('a'), memoryNode('b')];
  for (let nth = 0; nth < 3; nth += 1) a.mine('all');
  b.follow(a);
  const watch = watching(database, 'BTC', [a, b]);
  await watch.give(SCRIPT, 1);
  await watch.turn();
  const paid = paymentTo(SCRIPT, 'paid');
  a.mine('all', [paid]);
  b.follow(a);
  await watch.turns(2);
  const made = a.branch[4];
  for (const { branch } of [a, b]) if (made) branch.splice(4, 1, { ...made, transactions: [] });
  await askRescan(database.pool, { chain: 'BTC', from: 4, to: 4 });
  beside(b, made?.hash, async () => {
    await watch.rescan();
    await askRescan(database.pool, { chain: 'BTC', from: 4, to: 4 });
    a.mine('all', [paid]);
    b.follow(a);
    await watch.turns(2);
  });
  await watch.rescan();
  const heard = (await watch.told()).map(({ type }) => type);
  expect(heard.filter((type) => type === 'payment.reorged')).toHaveLength(1);
  expect(heard.at(-1)).toBe('payment.confirmed');
});
