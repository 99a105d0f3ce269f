import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { NodeRefused, NodeUnreachable } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { askRescan, migrations, rescanReports } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { type Watching, watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0x${'ab'.repeat(20)}`;
const BLOCKS = 30;

/** Blocks that two nodes have, one of which pays somebody whom nobody knew of as it came. */
const followed = async (agree: number) => {
  const [first, other] = [memoryNode('first'), memoryNode('other')];
  const watch = watching(database, 'ETH', [first, other], { agree });
  await watch.turn();
  for (let height = 1; height <= BLOCKS; height += 1)
    first.mine('all', height === 5 ? [paymentTo(SCRIPT, 'paid')] : []);
  other.follow(first);
  await watch.turns(2);
  await watch.give(SCRIPT, 1);
  return { watch, first, other };
};

const ask = (from: number, to: number) => askRescan(database.pool, { chain: 'ETH', from, to });
const reports = () => rescanReports(database.pool, 'ETH');

/** Asked all the while. */
const waitFor = async (watch: Watching, minutes: number): Promise<void> => {
  for (let nth = 0; nth < minutes; nth += 1) {
    await watch.rescan();
    watch.pass(60_000);
  }
};

/** Until it is back. */
const goAway = (node: MemoryNode): (() => void) => {
  const { tip, hashAt, block } = node;
  const gone = () => Promise.reject(new NodeUnreachable('it does not answer'));
  Object.assign(node, { tip: gone, hashAt: gone, block: gone });
  return () => void Object.assign(node, { tip, hashAt, block });
};

const lackAll = ({ lacks }: MemoryNode): void => {
  for (let height = 1; height <= BLOCKS; height += 1) lacks.set(height, undefined);
};

it('a node that no longer tells an old block is no worse for that, however often it is asked', async () => {
  const { watch, other } = await followed(2);
  other.lacks.set(5, new NodeRefused('debug_traceBlockByHash', -32_000, 'historical state is not available'));
  await ask(5, 5);
  await watch.rescan();
  await watch.turns(2);
  expect(watch.alerts()).toEqual([]);
  expect(await reports()).toMatchObject([{ state: 'open', passed: 0 }]);
  expect((await watch.report())?.nodes).toMatchObject([{ state: 'ok' }, { state: 'ok' }]);
});

it('a block that is waited for is asked for again some seconds later', async () => {
  const { watch, first, other } = await followed(2);
  for (const node of [first, other]) node.lacks.set(5, new NodeUnreachable('it does not answer'));
  await ask(5, 5);
  await watch.rescan();
  watch.pass(60_000);
  await watch.rescan();
  let asked = 0;
  const { block } = first;
  Object.assign(first, {
    block: (hash: string) => {
      asked += 1;
      return block(hash);
    },
  });
  for (let nth = 0; nth < 5; nth += 1) await watch.rescan();
  expect(asked).toBe(0);
  expect(await reports()).toMatchObject([{ state: 'open', passed: 0 }]);
});

it('a node that is away is waited for once, and what it alone may have is passed while it stays so', async () => {
  const { watch, first, other } = await followed(1);
  lackAll(first);
  const comeBack = goAway(other);
  await watch.turn();
  await ask(1, BLOCKS - 1);
  await watch.rescan();
  expect(await reports()).toMatchObject([{ state: 'open', passed: 0 }]);
  await waitFor(watch, 10);
  await watch.rescan();
  await watch.rescan();
  expect(await reports()).toMatchObject([{ state: 'done', passed: BLOCKS - 1 }]);
  await ask(1, BLOCKS - 1);
  await watch.rescan();
  comeBack();
  await watch.turn();
  await watch.rescan();
  await watch.rescan();
  expect(await reports()).toMatchObject([{ state: 'done', passed: 0, found: 1 }, { passed: BLOCKS - 1 }]);
});

it('it is waited for anew once it is found otherwise', async () => {
  const { watch, first, other } = await followed(1);
  lackAll(first);
  const { tip } = other;
  const comeBack = goAway(other);
  await watch.turn();
  await ask(1, BLOCKS);
  await waitFor(watch, 10);
  await watch.rescan();
  comeBack();
  Object.assign(other, { tip: async () => ({ ...(await tip()), isSyncing: true }) });
  await watch.turn();
  await watch.rescan();
  expect(await reports()).toMatchObject([{ state: 'open', passed: 20, next_height: 21 }]);
});

it('so it is with blocks of which nothing is kept, and that too few are left to agree on', async () => {
  const { watch, other } = await followed(2);
  await database.pool.query('DELETE FROM chain_blocks WHERE height <= 25');
  goAway(other);
  await watch.turn();
  await ask(1, 25);
  await waitFor(watch, 10);
  await watch.rescan();
  await watch.rescan();
  expect(await reports()).toMatchObject([{ state: 'done', passed: 25 }]);
});

it('what pays somebody, and too few are left to show, is waited for each time', async () => {
  const { watch, first, other } = await followed(2);
  lackAll(first);
  first.lacks.delete(5);
  goAway(other);
  await watch.turn();
  await ask(4, 5);
  await waitFor(watch, 10);
  await watch.rescan();
  expect(await reports()).toMatchObject([{ state: 'open', passed: 1, next_height: 5 }]);
});

it('a while in which nobody asked is not waited, be it that the service was stopped or that no node was there', async () => {
  const { watch, first, other } = await followed(1);
  lackAll(first);
  const comeBack = goAway(other);
  await watch.turn();
  await ask(4, 5);
  await waitFor(watch, 5);
  // An older release counted from here on.
  await database.pool.query("UPDATE chain_rescans SET waits_since = now() - interval '20 minutes'");
  watch.pass(600_000);
  await watch.rescan();
  const begunAnew = watching(database, 'ETH', [first, other], { agree: 1 });
  await begunAnew.turn();
  await begunAnew.rescan();
  expect(await reports()).toMatchObject([{ state: 'open', passed: 0, next_height: 4 }]);
  comeBack();
  await begunAnew.turns(2);
  await begunAnew.rescan();
  expect(await reports()).toMatchObject([{ state: 'done', passed: 0, found: 1 }]);
});

it('what is waited for is so on while another range is read', async () => {
  const { watch, first, other } = await followed(1);
  lackAll(first);
  first.lacks.delete(10);
  goAway(other);
  await watch.turn();
  await ask(4, 4);
  await waitFor(watch, 4);
  await ask(10, 10);
  await waitFor(watch, 8);
  expect(await reports()).toMatchObject([
    { state: 'done', passed: 0 },
    { state: 'done', passed: 1 },
  ]);
});
