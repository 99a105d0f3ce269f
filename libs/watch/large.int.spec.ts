import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;
const OUTPUTS = 300;

const toManyOutputs = () => ({
  ...paymentTo(SCRIPT, 'large'),
  outputs: Array.from({ length: OUTPUTS }, (_, vout) => ({ vout, script: SCRIPT, amount: 70_000n + BigInt(vout) })),
  raw: () => 'ff'.repeat(50_000),
});

it('a transaction that pays us by many outputs is kept once, and submitted once for all of them', async () => {
  const submitted: string[] = [];
  const node = memoryNode('one');
  const refusing = {
    ...node,
    submit: async (raw: string) => {
      submitted.push(raw);
      return { isIn: false as const, reason: 'missing inputs' };
    },
  };
  const watch = watching(database, 'LTC', [refusing]);
  await watch.give(SCRIPT, 1);
  await watch.turn();
  node.pool.set('large', toManyOutputs());
  await watch.turn();
  expect(await watch.told()).toHaveLength(OUTPUTS);
  const { rows } = await database.pool.query(
    'SELECT count(*)::int AS outputs, count(raw)::int AS kept FROM chain_payments',
  );
  expect(rows).toEqual([{ outputs: OUTPUTS, kept: 1 }]);
  node.pool.clear();
  await watch.turns(2);
  expect(submitted).toEqual([toManyOutputs().raw()]);
  for (let nth = 0; nth < 30; nth += 1) {
    watch.pass(240_000);
    await watch.turn();
  }
  expect(submitted).toHaveLength(31);
  const told = await watch.told();
  expect(new Set(told.map(({ type, vout }) => `${type} ${vout}`)).size).toBe(OUTPUTS);
  expect(new Set(told.map(({ type }) => type))).toEqual(new Set(['payment.dropped']));
});

it('few transactions of a mempool are held at once, since each may be large', async () => {
  const asked: number[] = [];
  const node = memoryNode('one');
  const watch = watching(database, 'LTC', [
    {
      ...node,
      transactions: async (txids: readonly string[]) => {
        asked.push(txids.length);
        return node.transactions(txids);
      },
    },
  ]);
  await watch.give(SCRIPT, 1);
  await watch.turn();
  for (let nth = 0; nth < 60; nth += 1) node.pool.set(`paid ${nth}`, paymentTo(SCRIPT, `paid ${nth}`));
  await watch.turn();
  expect(await watch.told()).toHaveLength(60);
  expect(Math.max(...asked)).toBeLessThanOrEqual(25);
});

it('what a transaction leans on is kept once for all that it pays', async () => {
  const node = memoryNode('one');
  const watch = watching(database, 'LTC', [node]);
  await watch.give(SCRIPT, 1);
  await watch.turn();
  await database.pool.query(`
    CREATE TABLE kept (at timestamptz);
    CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO kept VALUES (now()); RETURN NULL; END $$;
    CREATE TRIGGER keep AFTER INSERT ON chain_payment_inputs FOR EACH STATEMENT EXECUTE FUNCTION keep()`);
  const outputs = Array.from({ length: 50 }, (_, vout) => ({ vout, script: SCRIPT, amount: 70_000n }));
  const inputs = Array.from({ length: 40 }, (_, nth) => `coin-${nth}:0`);
  node.pool.set('paid', { ...paymentTo(SCRIPT, 'paid'), outputs, inputs });
  await watch.turn();
  expect(await watch.told()).toHaveLength(50);
  expect((await database.pool.query('SELECT FROM chain_payment_inputs')).rowCount).toBe(40);
  expect((await database.pool.query('SELECT FROM kept')).rowCount).toBe(1);
});
