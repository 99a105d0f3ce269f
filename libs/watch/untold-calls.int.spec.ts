import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0x${'ab'.repeat(20)}`;
const OTHER = `0x${'cd'.repeat(20)}`;

/** A block in which it pays or earns, besides what it may be paid by a transaction. */
const after = async (byState: readonly string[], who = SCRIPT) => {
  const node = memoryNode('one');
  const watch = watching(database, 'ETH', [node]);
  await watch.give(SCRIPT, 1);
  await watch.turn();
  node.mine('all', [{ ...paymentTo(OTHER, 'untold'), outputs: [] }]);
  const [genesis, block] = node.branch;
  if (!genesis || !block) throw new Error('no block was mined');
  const gains = [{ txid: 'untold', script: who, amount: 0n }];
  node.branch.splice(0, 2, genesis, { ...block, gains, byState });
  await watch.turns(2);
  return { report: await watch.report(), alerts: watch.alerts() };
};

it.each([
  ['whose calls are told', [], SCRIPT, []],
  ['whose calls no node tells', ['untold'], SCRIPT, ['chain_transaction_by_state']],
  ['that others pay for and earn by', ['untold'], OTHER, ['chain_transaction_by_state']],
] as const)('one %s holds nothing', async (_, byState, who, said) => {
  const { report, alerts } = await after(byState, who);
  expect(report).toMatchObject({ height: 1, held: null });
  expect(alerts).toEqual(said);
});
