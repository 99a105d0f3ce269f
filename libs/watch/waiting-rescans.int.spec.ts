import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { NodeRefused } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { askRescan, migrations, rescanReports } from './index.ts';
import { memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

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
