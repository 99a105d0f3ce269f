import pg from 'pg';
import type { Json } from '#event-log';
import type { Queryable } from '#platform/postgres';

export const NO_EVENT = 'no event comes to this row';

const PAGE = 500;

export type Row = Readonly<Record<string, Json>>;

export const keysOf = async (db: Queryable, table: string): Promise<readonly string[]> => {
  const { rows } = await db.query<{ name: string }>(
    `SELECT a.attname AS name FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
     WHERE i.indrelid = $1::regclass AND i.indisprimary ORDER BY array_position(i.indkey::int2[], a.attnum)`,
    [pg.escapeIdentifier(table)],
  );
  return rows.map(({ name }) => name);
};

export async function* rowPages(
  db: Queryable,
  table: string,
  names: readonly string[],
): AsyncGenerator<readonly Row[]> {
  const list = names.map((name) => pg.escapeIdentifier(name)).join(', ');
  const select = `SELECT to_jsonb(t) AS row FROM ${pg.escapeIdentifier(table)} t`;
  for (let last: Row | undefined; ; ) {
    const behind = last && `WHERE (${list}) > (${names.map((_, nth) => `$${nth + 1}`).join(', ')})`;
    const values = names.flatMap((name) => (last ? [last[name]] : []));
    const { rows } = await db.query<{ row: Row }>(`${select} ${behind ?? ''} ORDER BY ${list} LIMIT ${PAGE}`, values);
    yield rows.map(({ row }) => row);
    last = rows.at(-1)?.row;
    if (rows.length < PAGE) return;
  }
}

export const keyIn = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.map((name) => [name, row[name] ?? null]));
