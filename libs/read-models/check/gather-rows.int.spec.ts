import { beforeEach, expect, it } from '@jest/globals';
import type pg from 'pg';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { insertRow } from '../changes/row-change.ts';
import { statementsFor } from '../changes/statements.ts';
import { compareRows } from './compare-rows.ts';
import type { FoldedRow } from './fold-rows.ts';
import { gatherRows } from './gather-rows.ts';
import { tableColumns } from './table-columns.ts';

const database = databasePerTest();

const VALUES: readonly FoldedRow['values'][] = [
  { said: '', amount: '0', at: '2026-03-01T12:00:00.000Z', is: true, more: {}, nr: 1 },
  { said: null, amount: null, at: null, is: null, more: null, nr: null },
  { said: 'a "b" \\ (c), d\ne\tf', amount: '-12.500', at: '2026-03-01T12:00:00.120Z', is: false, more: [], nr: -2 },
  {
    said: 'Ünïcode 🂡\u00a0',
    amount: '100000000000000000000.10',
    at: '2026-12-31T23:59:59Z',
    is: true,
    nr: 0,
    more: '',
  },
  {
    ...{ said: '{}', amount: '0.000000001', at: '1999-01-01T00:00:00.000001Z', is: false, nr: 2_147_483_647 },
    more: { longer: [1, '2.50', null, { b: true, a: false }], b: '"\\\u0001\u007f', ä: 'x', Z: { 'a b': 'c,d' } },
  },
];

const rows: readonly FoldedRow[] = VALUES.map((values, id) => ({
  table: 'kept',
  key: { id, kind: `kind ${id}` },
  values,
}));

const differing = async (
  expected: readonly FoldedRow[],
  db: Pick<pg.Client, 'query'> = database.pool,
): Promise<readonly unknown[]> => {
  const gathered = gatherRows<unknown>(await tableColumns(db, ['kept']));
  for (const row of expected) gathered.add(row, row.key.id);
  return [...(await gathered.differing(db))];
};

beforeEach(async () => {
  await database.pool.query(`CREATE TABLE kept (id bigint, kind text, said text, amount numeric, at timestamptz,
    "is" boolean, more jsonb, nr integer, PRIMARY KEY (id, kind))`);
  const inserts = rows.map(({ table, key, values }) => insertRow(table, key, values));
  for (const { text, values } of statementsFor(inserts)) await database.pool.query(text, [...values]);
});

it('Whatever a row holds is foretold as the server writes it, in whatever time zone it speaks', async () => {
  expect(await differing(rows)).toEqual([]);
  const elsewhere = await database.pool.connect();
  await elsewhere.query(`SET timezone = 'America/New_York'`);
  const found = await differing(rows, elsewhere);
  elsewhere.release(true);
  expect(found).toEqual([]);
});

it.each([
  ['said', `said || ' '`],
  ['amount', 'amount + 0.0000000000001'],
  ['at', `at + interval '1 microsecond'`],
  ['is', 'NOT "is"'],
  ['more', `jsonb_set(more, '{longer,1}', '"2.5"')`],
  ['nr', 'nr - 1'],
  ['said', 'NULL'],
])('A row of which %s was changed to %s differs', async (column, value) => {
  await database.pool.query(`UPDATE kept SET "${column}" = ${value} WHERE id = 4`);
  expect(await differing(rows)).toEqual([4]);
});

it('A row that is gone differs', async () => {
  await database.pool.query('DELETE FROM kept WHERE id = 1');
  expect(await differing(rows)).toEqual([1]);
});

it('A column that nothing was said of is to hold what its table gives it', async () => {
  await database.pool.query(`ALTER TABLE kept
    ADD COLUMN untold text, ADD COLUMN counted numeric NOT NULL DEFAULT 0, ADD COLUMN listed jsonb NOT NULL DEFAULT '[1]'`);
  expect(await differing(rows)).toEqual([]);
  await database.pool.query(`UPDATE kept SET untold = '' WHERE id = 1; UPDATE kept SET counted = 1 WHERE id = 2;
    UPDATE kept SET listed = '[]' WHERE id = 3`);
  expect(await differing(rows)).toEqual([1, 2, 3]);
  expect(await compareRows(database.pool, rows)).toMatchObject([
    { fields: [{ field: 'untold', found: '', expected: null }] },
    { fields: [{ field: 'counted', found: '1', expected: '0' }] },
    { fields: [{ field: 'listed', found: '[]', expected: '[1]' }] },
  ]);
});

it('A column that the table lacks is left to the server, which names it', async () => {
  await database.pool.query('ALTER TABLE kept DROP COLUMN said');
  expect(await differing(rows.slice(0, 1))).toEqual([0]);
  await expect(compareRows(database.pool, rows.slice(0, 1))).rejects.toThrow(/column t.said does not exist/);
});

it('What can be written in more than one way is left to whoever compares with care', async () => {
  const odd = { table: 'kept', key: { id: 0, kind: 'kind 0' }, values: { at: '2026-03-01T13:00:00+01:00' } };
  expect(await differing([odd])).toEqual([0]);
});
