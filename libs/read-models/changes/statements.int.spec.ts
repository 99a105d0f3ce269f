import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { databasePerFile } from '../../../test/support/with-database.ts';
import { run } from '../runner/apply-batch.ts';
import { type Tables, tablesAfter } from '../testing/tables-after.ts';
import { type CopiedColumns, copiedColumns } from './copied.ts';
import { addToRow, deleteRow, insertRow, type RowChange, updateRow, upsertRow } from './row-change.ts';
import { statementsOf } from './statements.ts';
import { openWaves } from './waves.ts';

const TABLES = ['one', 'two'];

const database = databasePerFile();
let client: pg.Client;
const copied = new Map<string, CopiedColumns>();

beforeAll(async () => {
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  database.atEnd(() => client.end());
  for (const table of TABLES)
    await client.query(
      `CREATE TABLE ${table} (a text, b integer, status text, note jsonb, total numeric, PRIMARY KEY (a, b))`,
    );
  for (const table of TABLES) copied.set(table, (await copiedColumns(client, table)) ?? new Map());
});

const key = fc.record({ a: fc.constantFrom('x', 'y'), b: fc.constantFrom(1, 2) });
const table = fc.constantFrom(...TABLES);
const values = fc.record(
  {
    status: fc.constantFrom('new', '', "o'hara", 'a\tb\r\nc', '\\N', '\\.'),
    note: fc.constantFrom(null, { a: [1, '2'] }, 'text', 'a\n\\"b', '\\N', false),
  },
  { requiredKeys: ['status'] },
);
const amount = fc.constantFrom('1', '-0.25', '10.50');

const change: fc.Arbitrary<RowChange> = fc.oneof(
  fc.tuple(table, key, values).map((given) => insertRow(...given)),
  fc.tuple(table, key, values).map((given) => updateRow(...given)),
  fc.tuple(table, key, values).map((given) => upsertRow(...given)),
  fc.tuple(table, key, amount).map(([t, k, total]) => addToRow(t, k, { total })),
  fc.tuple(table, key).map((given) => deleteRow(...given)),
);

const refusedBy = async (attempt: () => unknown): Promise<boolean> => {
  try {
    await attempt();
    return false;
  } catch {
    return true;
  }
};

/** The longest part of a history that the plain meaning takes: changes that it refuses are left out. */
const possible = (changes: readonly RowChange[]): RowChange[] => {
  const taken: RowChange[] = [];
  for (const next of changes) {
    taken.push(next);
    try {
      tablesAfter(taken);
    } catch {
      taken.pop();
    }
  }
  return taken;
};

const byKey = (rows: readonly object[]): string[] =>
  rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();

const asSaid = (tables: Tables, name: string): string[] =>
  byKey((tables[name] ?? []).map((row) => ({ status: null, note: null, total: null, ...row })));

const asStored = async (name: string): Promise<string[]> =>
  byKey((await client.query(`SELECT a, b, status, note, total::text FROM ${name}`)).rows);

const write = async (changes: readonly RowChange[], by: typeof copied = new Map()): Promise<void> => {
  const waves = openWaves();
  for (const each of changes) waves.take(each);
  for (const statement of statementsOf(waves.waves(), undefined, by)) await run(client, statement);
};

describe.each([
  ['by INSERT', new Map()],
  ['by COPY', copied],
])('The statements of a batch, new rows %s', (_, by) => {
  it('leave the rows that its changes leave one by one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 30 }), async (changes) => {
        const taken = possible(changes);
        await client.query('BEGIN');
        try {
          await write(taken, by);
          const expected = tablesAfter(taken);
          for (const name of TABLES) expect(await asStored(name)).toEqual(asSaid(expected, name));
        } finally {
          await client.query('ROLLBACK');
        }
      }),
      { numRuns: 300 },
    );
  });

  it('are refused where one of its changes would be', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
        await client.query('BEGIN');
        try {
          expect(await refusedBy(() => write(changes, by))).toBe(await refusedBy(() => tablesAfter(changes)));
        } finally {
          await client.query('ROLLBACK');
        }
      }),
      { numRuns: 300 },
    );
  });

  it('are refused where text has no bytes in UTF-8, and not written with others in its place', async () => {
    const changes = [insertRow('one', { a: 'x', b: 1 }, { status: '\ud800' })];
    await expect(write(changes, by)).rejects.toThrow('invalid input syntax for type json');
  });

  it('take a total below zero only as far as its sum does', async () => {
    await client.query(`DROP TABLE IF EXISTS balances;
      CREATE TEMP TABLE balances (casino text PRIMARY KEY, amount numeric CHECK (amount >= 0))`);
    await write([addToRow('balances', { casino: 'c-1' }, { amount: '5' })]);
    await write([addToRow('balances', { casino: 'c-1' }, { amount: '-5' })]);
    const { rows } = await client.query('SELECT amount FROM balances');
    expect(rows).toEqual([{ amount: '0' }]);
  });
});

it('Rows of a table with columns that COPY writes in a way of their own are not copied', async () => {
  await client.query('CREATE TEMP TABLE lists (id integer PRIMARY KEY, names text[])');
  expect(await copiedColumns(client, 'lists')).toBeUndefined();
});
