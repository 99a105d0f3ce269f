import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { databasePerTest } from '../../test/support/with-database.ts';
import { askRescan, migrations } from './index.ts';
import { memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;
const MINUTE_MS = 60_000;

type Giving = 'give' | 'giveOlder';

/** What an address is paid that a deposit gets so much later, once the block is read again. */
const readAgain = async (
  how: 'a second reading' | 'a rescan',
  laterMs: number,
  { isKept = true, giving = 'give' }: { readonly isKept?: boolean; readonly giving?: Giving } = {},
) => {
  const node = memoryNode('one');
  const issued = new Date(Date.now() + laterMs);
  const watch = watching(database, 'BTC', [node], { issuedAt: async () => issued });
  await watch.turn();
  node.mine('all', [paymentTo(SCRIPT, 'paid')]);
  await watch.turn();
  watch.pass(laterMs);
  await watch[giving](SCRIPT, 1);
  if (!isKept) await database.pool.query('UPDATE chain_blocks SET applied_at = NULL');
  if (how === 'a rescan') await askRescan(database.pool, { chain: 'BTC', from: 1, to: 1 });
  else for (let height = 2; height <= 6; height += 1) node.mine('all');
  await watch.turn();
  await watch.rescan();
  return [(await watch.told()).map(({ type }) => type)[0], watch.alerts()];
};

const BEFORE = [undefined, ['chain_paid_before_given']];
const HEALED = ['payment.seen', ['chain_healed']];

it.each(['a second reading', 'a rescan'] as const)('what an address was paid before it was given: %s', async (how) => {
  expect(await readAgain(how, MINUTE_MS)).toEqual(BEFORE);
});

it.each(['a second reading', 'a rescan'] as const)('what it is paid by a deposit that has it: %s', async (how) => {
  expect(await readAgain(how, -MINUTE_MS)).toEqual(HEALED);
});

it.each([
  ['before an older transaction got it is credited to nobody', MINUTE_MS, BEFORE],
  ['by an older transaction that has it is put right', -MINUTE_MS, HEALED],
] as const)('what an address was paid %s', async (_, laterMs, said) => {
  expect(await readAgain('a rescan', laterMs, { giving: 'giveOlder' })).toEqual(said);
});

it.each([
  ['is taken by its own time', 3 * 60 * MINUTE_MS, BEFORE],
  ['may be later than its own time by two hours', 60 * MINUTE_MS, HEALED],
] as const)('a block of which it is not known when it was applied %s', async (_, laterMs, said) => {
  expect(await readAgain('a rescan', laterMs, { isKept: false })).toEqual(said);
});

const HOUR_MS = 60 * MINUTE_MS;

/** What an address was paid in a block that the watcher comes to hours later, when a deposit has it. */
const readLate = async (issuedAt: () => Promise<Date>, giving: Giving = 'give') => {
  const node = memoryNode('one');
  const watch = watching(database, 'BTC', [node], { issuedAt });
  await watch.turn();
  node.mine('all', [paymentTo(SCRIPT, 'paid')]);
  watch.pass(5 * HOUR_MS);
  await watch[giving](SCRIPT, 1);
  await watch.turn();
  return watch;
};

it.each([
  ['before a deposit got the address is credited to nobody', 3 * HOUR_MS, BEFORE],
  ['by a deposit that has it, as far as clocks tell, is credited', HOUR_MS, ['payment.seen', []]],
] as const)('a block that is come to late: what was paid %s', async (_, laterMs, said) => {
  const issued = new Date(Date.now() + laterMs);
  const watch = await readLate(async () => issued);
  expect([(await watch.told()).map(({ type }) => type)[0], watch.alerts()]).toEqual(said);
});

it('a block that is come to late credits no older transaction with what was paid before it got the address', async () => {
  const issued = new Date(Date.now() + 3 * HOUR_MS);
  const watch = await readLate(async () => issued, 'giveOlder');
  expect([(await watch.told()).map(({ type }) => type)[0], watch.alerts()]).toEqual(BEFORE);
});

it('when it cannot be told since when a deposit has the address, its payment waits until it can', async () => {
  const answers = [Promise.reject(new Error('the log is away')), Promise.resolve(new Date())];
  answers[0]?.catch(() => undefined);
  const watch = await readLate(async () => (await answers.shift()) ?? new Date());
  expect(await watch.told()).toEqual([]);
  await watch.turn();
  expect((await watch.told()).map(({ type }) => type)).toContain('payment.seen');
});
