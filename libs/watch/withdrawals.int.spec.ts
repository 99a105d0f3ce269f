import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import type { ChainBlock } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const [SCRIPT, OLDER, STRANGER] = ['ab', 'cd', 'ef'].map((byte) => `0x${byte.repeat(20)}`) as [string, string, string];
const ALERT = 'chain_paid_without_transaction';

/** In a block that also pays the deposit by a transaction. */
const toldOf = async (beside: ChainBlock['beside'] & object) => {
  const node = memoryNode('one');
  const watch = watching(database, 'ETH', [node]);
  await watch.give(SCRIPT, 1);
  await watch.giveOlder(OLDER, 2);
  await watch.turn();
  node.mine('all', [paymentTo(SCRIPT, 'paid')]);
  const [genesis, block] = node.branch;
  if (!genesis || !block) throw new Error('no block was mined');
  node.branch.splice(0, 2, genesis, { ...block, beside });
  await watch.turns(3);
  expect((await watch.told()).map(({ type }) => type)).toEqual(['payment.seen', 'payment.confirmed']);
  return watch.alarms();
};

it('what an address got by no transaction is credited to nobody, and told of once by whose it is', async () => {
  const gwei = 1_000_000_000n;
  expect(
    await toldOf([
      { script: STRANGER, amount: gwei },
      { script: SCRIPT, amount: 64_000_000n * gwei },
      { script: OLDER, amount: undefined },
    ]),
  ).toMatchObject([
    { alert: ALERT, chain: 'ETH', height: 1, deposit: 1, amount: '0.064' },
    { alert: ALERT, chain: 'ETH', height: 1, transaction: 2 },
  ]);
});

it('of what others got so nothing is told', async () => {
  expect(await toldOf([{ script: STRANGER, amount: 1n }])).toEqual([]);
});
