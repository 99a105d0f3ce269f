import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import type { ChainTransaction } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;

/** As each block has one, that moves on what is in the extension and pays what comes out of it. */
const exit = (txid: string): ChainTransaction => ({
  ...paymentTo(SCRIPT, txid),
  ...{ inputs: ['the exit before:0'], isPegOut: true },
});

it('what a peg-out pays in a block that is given up is no theft where another block pays it out', async () => {
  const node = memoryNode('one');
  const deep = { confirmations: [{ from: 0n, need: 3 }] };
  const watch = watching(database, 'LTC', [node], { isFast: async () => true, ...deep });
  const told = async () =>
    (await watch.told()).map(({ type, txid, unknown_senders_of, passed }) => [
      type,
      txid ?? unknown_senders_of ?? passed,
    ]);
  await watch.give(SCRIPT, 1);
  await watch.turn();
  node.mine('all', [exit('first')]);
  await watch.turns(2);
  expect(await told()).toEqual([
    ['payment.seen', 'first'],
    ['kyt.completed', 'first'],
    ['guards.completed', true],
  ]);
  node.branch.pop();
  node.mine('others', [exit('second')]);
  node.mine('others');
  await watch.turns(2);
  expect(await told()).toEqual([
    ['payment.dropped', 'first'],
    ['payment.seen', 'second'],
    ['kyt.completed', 'second'],
    ['guards.completed', true],
  ]);
});
