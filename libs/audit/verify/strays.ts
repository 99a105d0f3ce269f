import pg from 'pg';
import { depositStream } from '#deposit-commands';
import type { Json } from '#event-log';
import { transactionStream } from '#legacy-commands';
import type { FoldedRow } from '#read-models';
import type { Finding } from './finding.ts';
import { foldStream } from './fold-stream.ts';
import type { RowsParts } from './rows.ts';

const PAGE = 500;

type Row = Readonly<Record<string, Json>>;

/** Whose row it is. */
const streamOf = (table: string, { deposit_id, transaction_id, id = null }: Row): string => {
  if (table === 'deposits') return depositStream(Number(id));
  return deposit_id === undefined ? transactionStream(Number(transaction_id ?? id)) : depositStream(Number(deposit_id));
};

const keysOf = async (pool: pg.Pool, table: string): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT a.attname AS name FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
     WHERE i.indrelid = $1::regclass AND i.indisprimary ORDER BY array_position(i.indkey::int2[], a.attnum)`,
    [pg.escapeIdentifier(table)],
  );
  return rows.map(({ name }) => name);
};

async function* rowPages(pool: pg.Pool, table: string, names: readonly string[]): AsyncGenerator<readonly Row[]> {
  const list = names.map((name) => pg.escapeIdentifier(name)).join(', ');
  const select = `SELECT to_jsonb(t) AS row FROM ${pg.escapeIdentifier(table)} t`;
  for (let last: Row | undefined; ; ) {
    const behind = last && `WHERE (${list}) > (${names.map((_, nth) => `$${nth + 1}`).join(', ')})`;
    const values = names.flatMap((name) => (last ? [last[name]] : []));
    const { rows } = await pool.query<{ row: Row }>(`${select} ${behind ?? ''} ORDER BY ${list} LIMIT ${PAGE}`, values);
    yield rows.map(({ row }) => row);
    last = rows.at(-1)?.row;
    if (rows.length < PAGE) return;
  }
}

const isRow = (folded: FoldedRow, table: string, row: Row): boolean =>
  folded.table === table && Object.entries(folded.key).every(([name, value]) => String(row[name]) === String(value));

const strayProblem = async ({ log, projections }: RowsParts, table: string, row: Row): Promise<string | undefined> => {
  const { events, breaks, rows } = await foldStream(log, projections, streamOf(table, row));
  if (events === 0) return 'its history is not there';
  return breaks.length > 0 || rows.some((each) => isRow(each, table, row)) ? undefined : 'no event comes to this row';
};

/** Rows of a table that no stream comes to: of a stream that is gone, or put there by nobody's event. */
export async function* straysOf(parts: RowsParts, table: string): AsyncGenerator<Finding> {
  const names = await keysOf(parts.pool, table);
  for await (const rows of rowPages(parts.pool, table, names))
    for (const row of rows) {
      const problem = await strayProblem(parts, table, row);
      const key = Object.fromEntries(names.map((name) => [name, row[name] ?? null]));
      if (problem !== undefined) yield { by: 'rows', stream: streamOf(table, row), table, key, problem };
    }
}

/** How many rows a table has more than are expected of it. */
export const surplusOf = async (pool: pg.Pool, table: string, expected: number): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>(`SELECT count(*) AS count FROM ${pg.escapeIdentifier(table)}`);
  return Number(rows[0]?.count ?? 0) - expected;
};
