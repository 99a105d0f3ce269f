import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { NodeUnreachable } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { askRescan, migrations, rescanReports } from './index.ts';
import { memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;
const BLOCKS = 10;

/** Ten blocks, a payment in the fifth of which is found by a rescan, while one of the nodes answers nothing of blocks. */
const rescanned = async (count: number, hanging: number) => {
  const nodes = Array.from({ length: count }, (_, nth) => memoryNode(`node ${nth}`));
  const [first, silent] = [nodes[0] ?? memoryNode('none'), nodes[hanging]];
  const watch = watching(database, 'BTC', nodes, { agree: 2 });
  await watch.turn();
  for (let height = 1; height <= BLOCKS; height += 1)
    first.mine('all', height === 5 ? [paymentTo(SCRIPT, 'paid')] : []);
  for (const node of nodes) node.follow(first);
  await watch.turns(2);
  await watch.give(SCRIPT, 1);
  await askRescan(database.pool, { chain: 'BTC', from: 1, to: BLOCKS });
  let asked = 0;
  if (silent)
    Object.assign(silent, {
      block: async () => {
        asked += 1;
        throw new NodeUnreachable('it does not answer');
      },
    });
  await watch.rescan();
  const [report] = await rescanReports(database.pool, 'BTC');
  return { asked, report };
};

it.each([
  ['that is read', 0],
  ['that is asked beside it', 2],
])('a node %s and answers nothing is asked for one block of those that are read again at once', async (_, hanging) => {
  const { asked, report } = await rescanned(3, hanging);
  expect([report, asked]).toMatchObject([{ state: 'done', found: 1, passed: 0 }, 1]);
});

it('for each where too few would be left to agree', async () => {
  const { asked, report } = await rescanned(2, 1);
  expect(asked).toBeGreaterThanOrEqual(BLOCKS / 2);
  expect(report).toMatchObject({ state: 'open', next_height: 5, passed: 0 });
});
