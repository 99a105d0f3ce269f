import type { Json } from '#event-log';
import type { Queryable } from '#platform/postgres';

export type TableColumn = {
  readonly type: string;
  /** What it holds in a row of which no event set it. */
  readonly unset: Json;
};

/** By their names, in the order of the table. */
export type TableColumns = ReadonlyMap<string, TableColumn>;

const COLUMNS = `
  SELECT attname AS name, typname AS type, pg_get_expr(adbin, adrelid) AS initial
  FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid
  LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`;

/** As the server writes its own default. */
const initially = async (db: Queryable, initial: string | null): Promise<Json> => {
  if (initial === null) return null;
  const { rows } = await db.query<{ value: Json }>(`SELECT to_jsonb(${initial}) AS value`);
  return rows[0]?.value ?? null;
};

const columnsOf = async (db: Queryable, table: string): Promise<TableColumns> => {
  type Row = { name: string; type: string; initial: string | null };
  const { rows } = await db.query<Row>(COLUMNS, [table]);
  const columns = new Map<string, TableColumn>();
  for (const { name, type, initial } of rows) columns.set(name, { type, unset: await initially(db, initial) });
  return columns;
};

export const tableColumns = async (
  db: Queryable,
  tables: Iterable<string>,
): Promise<ReadonlyMap<string, TableColumns>> => {
  const columns = new Map<string, TableColumns>();
  for (const table of new Set(tables)) columns.set(table, await columnsOf(db, table));
  return columns;
};
