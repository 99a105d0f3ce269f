import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;
const OTHER = `0014${'cd'.repeat(20)}`;
const OUTPUTS = 600;

const crowd = {
  ...paymentTo(SCRIPT, 'crowd'),
  outputs: Array.from({ length: OUTPUTS }, (_, vout) => ({ vout, script: SCRIPT, amount: 330n })),
};

const opened = async () => {
  const node = memoryNode('one');
  const watch = watching(database, 'BTC', [node]);
  await watch.give(SCRIPT, 1);
  await watch.give(OTHER, 2);
  await watch.turn();
  return { node, watch };
};

type Opened = Awaited<ReturnType<typeof opened>>;

/** The database refuses these signals, as where it cannot add them in time. */
const refusing = (which: string) =>
  database.pool.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not in time'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON chain_outbox FOR EACH ROW WHEN (${which}) EXECUTE FUNCTION refuse()`);

const REFUSED_CONFIRMATION = "NEW.signal ->> 'type' = 'payment.confirmed' AND NEW.signal ->> 'vout' = '599'";

const countOf = async ({ watch }: Opened, type: string): Promise<number> =>
  (await watch.told()).filter((signal) => signal.type === type).length;

it('what cannot be confirmed of a crowd keeps nothing that can be, and is due with the next turn', async () => {
  const all = await opened();
  await refusing(REFUSED_CONFIRMATION);
  all.node.mine('all', [crowd]);
  await expect(all.watch.turn()).rejects.toThrow('not in time');
  const first = await countOf(all, 'payment.confirmed');
  expect(first).toBeGreaterThan(OUTPUTS / 2);
  await database.pool.query('DROP TRIGGER refuse ON chain_outbox');
  await all.watch.turn();
  expect(first + (await countOf(all, 'payment.confirmed'))).toBe(OUTPUTS);
});

it('what cannot be confirmed keeps no block from being applied and nothing that waits from being seen, and is held', async () => {
  const all = await opened();
  const { node, watch } = all;
  await refusing(REFUSED_CONFIRMATION);
  node.mine('all', [crowd]);
  await expect(watch.turn()).rejects.toThrow('not in time');
  await watch.told();
  node.pool.set('waits', paymentTo(OTHER, 'waits'));
  node.mine('all', [paymentTo(OTHER, 'mined')]);
  watch.pass(31_000);
  await expect(watch.turn()).rejects.toThrow('not in time');
  const seen = (await watch.told()).filter(({ type }) => type === 'payment.seen');
  expect(seen.map(({ txid }) => txid)).toEqual(['mined', 'waits']);
  expect((await watch.report())?.held?.reason).toContain('not in time');
  await database.pool.query('DROP TRIGGER refuse ON chain_outbox');
  await watch.turn();
  expect((await watch.report())?.held).toBeNull();
});

it('a block that cannot be applied keeps nothing that waits from being seen', async () => {
  const { node, watch } = await opened();
  await refusing("NEW.signal ->> 'txid' = 'crowd'");
  node.mine('all', [crowd]);
  node.pool.set('waits', paymentTo(OTHER, 'waits'));
  for (let nth = 0; nth < 5; nth += 1) await expect(watch.turn()).rejects.toThrow('not in time');
  expect((await watch.told()).map(({ txid }) => txid)).toEqual(['waits']);
});

it('a crowd takes a few statements, where it waits and in its block', async () => {
  const all = await opened();
  await database.pool.query(`
    CREATE TABLE statements (at timestamptz);
    CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO statements VALUES (now()); RETURN NULL; END $$;
    CREATE TRIGGER note AFTER INSERT OR UPDATE ON chain_payments FOR EACH STATEMENT EXECUTE FUNCTION note();
    CREATE TRIGGER note AFTER INSERT ON chain_outbox FOR EACH STATEMENT EXECUTE FUNCTION note()`);
  all.node.pool.set('crowd', crowd);
  await all.watch.turn();
  expect(await countOf(all, 'payment.seen')).toBe(OUTPUTS);
  all.node.mine('all', [crowd]);
  await all.watch.turn();
  expect(await countOf(all, 'payment.confirmed')).toBe(OUTPUTS);
  expect((await database.pool.query('SELECT FROM statements')).rowCount).toBeLessThan(20);
});
