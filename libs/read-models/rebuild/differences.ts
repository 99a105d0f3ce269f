import type { Queryable } from '#platform/postgres';
import { NotRebuildable } from './make-tables.ts';
import { besideOf, quoted } from './table-names.ts';

type Texts = Readonly<Record<string, string | null>>;

/** `missing`: not among the live rows; `extra`: only there. Values are text, as Postgres writes them. */
export type RowDifference = {
  readonly table: string;
  readonly kind: 'missing' | 'extra' | 'changed';
  readonly key: Texts;
  readonly fields: Readonly<Record<string, { readonly live: string | null; readonly rebuilt: string | null }>>;
};

export type TableDifferences = {
  readonly table: string;
  readonly missing: number;
  readonly extra: number;
  readonly changed: number;
};

export type Differences = {
  readonly tables: readonly TableDifferences[];
  /** The first of them. */
  readonly rows: readonly RowDifference[];
};

const MOST_SHOWN = 100;

const keyOf = async (db: Queryable, table: string): Promise<readonly string[]> => {
  const { rows } = await db.query<{ name: string }>(
    `SELECT attname AS name FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
     WHERE indrelid = $1::regclass AND indisprimary ORDER BY attnum`,
    [quoted(table)],
  );
  if (rows.length === 0) throw new NotRebuildable(`table ${table} has no primary key: its rows cannot be compared`);
  return rows.map(({ name }) => name);
};

const unlike = (table: string, key: readonly string[]): string => {
  const same = key.map((column) => `live.${quoted(column)} = fresh.${quoted(column)}`).join(' AND ');
  return `FROM ${quoted(table)} AS live FULL JOIN ${quoted(besideOf(table))} AS fresh ON ${same}
    WHERE live IS DISTINCT FROM fresh`;
};

const count = async (db: Queryable, table: string, key: readonly string[]): Promise<TableDifferences> => {
  const first = quoted(key[0] ?? '');
  const { rows } = await db.query<{ missing: string; extra: string; all: string }>(
    `SELECT count(*) FILTER (WHERE live.${first} IS NULL) AS missing,
       count(*) FILTER (WHERE fresh.${first} IS NULL) AS extra, count(*) AS all ${unlike(table, key)}`,
  );
  const [missing = 0, extra = 0, all = 0] = rows.flatMap((row) => [row.missing, row.extra, row.all].map(Number));
  return { table, missing, extra, changed: all - missing - extra };
};

const asTexts = (side: string): string =>
  `(SELECT jsonb_object_agg(key, value) FROM jsonb_each_text(to_jsonb(${side}))) AS ${side}`;

const between = (table: string, key: readonly string[], live: Texts | null, fresh: Texts | null): RowDifference => {
  const names = Object.keys({ ...live, ...fresh });
  const values = names.map((name) => [name, { live: live?.[name] ?? null, rebuilt: fresh?.[name] ?? null }] as const);
  return {
    table,
    kind: live === null ? 'missing' : fresh === null ? 'extra' : 'changed',
    key: Object.fromEntries(key.map((name) => [name, (live ?? fresh)?.[name] ?? null])),
    fields: Object.fromEntries(values.filter(([, { live: was, rebuilt }]) => was !== rebuilt)),
  };
};

const some = async (db: Queryable, table: string, key: readonly string[], limit: number): Promise<RowDifference[]> => {
  const { rows } = await db.query<{ live: Texts | null; fresh: Texts | null }>(
    `SELECT ${asTexts('live')}, ${asTexts('fresh')} ${unlike(table, key)} LIMIT $1`,
    [limit],
  );
  return rows.map(({ live, fresh }) => between(table, key, live, fresh));
};

/** Between the live tables and those beside them, as `db` sees both. */
export const differencesIn = async (db: Queryable, tables: readonly string[]): Promise<Differences> => {
  const [counts, rows]: [TableDifferences[], RowDifference[]] = [[], []];
  for (const table of tables) {
    const key = await keyOf(db, table);
    const counted = await count(db, table, key);
    counts.push(counted);
    const isDifferent = counted.missing + counted.extra + counted.changed > 0;
    if (isDifferent && rows.length < MOST_SHOWN) rows.push(...(await some(db, table, key, MOST_SHOWN - rows.length)));
  }
  return { tables: counts, rows };
};
