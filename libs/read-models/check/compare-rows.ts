import pg from 'pg';
import type { Queryable } from '#platform/postgres';
import type { FoldedRow } from './fold-rows.ts';
import { type TableColumns, tableColumns } from './table-columns.ts';

/** One row that is not as history makes it. */
export type RowDifference = {
  readonly row: FoldedRow;
  /** Undefined: the row is not there. */
  readonly fields:
    | readonly { readonly field: string; readonly found: string | null; readonly expected: string | null }[]
    | undefined;
};

const quoted = pg.escapeIdentifier;
const list = (columns: readonly string[], of: string): string =>
  columns.map((name) => `${of}.${quoted(name)}`).join(', ');

/** Every digit of a number, and JSON as it is written. */
const asText = (row: string): string =>
  `(SELECT jsonb_object_agg(name, value #>> '{}') FROM jsonb_each(to_jsonb(${row})) AS field (name, value))`;

/** The server compares, by the types of its columns: 1.0 is 1.00, whoever wrote it. */
const textFor = (table: string, keys: readonly string[], columns: readonly string[]): string => {
  const first = `t.${quoted(keys[0] ?? '')}`;
  const same = keys.map((key) => `t.${quoted(key)} = e.${quoted(key)}`).join(' AND ');
  const differs =
    columns.length === 0 ? 'false' : `ROW(${list(columns, 't')}) IS DISTINCT FROM ROW(${list(columns, 'e')})`;
  const each = columns.map(
    (name) => `CASE WHEN t.${quoted(name)} IS DISTINCT FROM e.${quoted(name)} THEN ${pg.escapeLiteral(name)} END`,
  );
  return `
    SELECT e.ordinality AS nth, ${first} IS NULL AS missing, ${asText('t')} AS found, ${asText('e')} AS expected,
      array_remove(ARRAY[${each.join(', ')}]::text[], NULL) AS fields
    FROM json_populate_recordset(NULL::${quoted(table)}, $1::json) WITH ORDINALITY AS e
    LEFT JOIN ${quoted(table)} AS t ON ${same}
    WHERE ${first} IS NULL OR ${differs} ORDER BY e.ordinality`;
};

type Texts = Readonly<Record<string, string | null>>;

type Found = {
  readonly nth: string | number;
  readonly missing: boolean;
  readonly found: Texts | null;
  readonly expected: Texts;
  readonly fields: readonly string[];
};

const differenceOf = (row: FoldedRow, { missing, found, expected, fields }: Found): RowDifference => ({
  row,
  fields: missing
    ? undefined
    : fields.map((field) => ({ field, found: found?.[field] ?? null, expected: expected[field] ?? null })),
});

const shapeOf = ({ table, key }: FoldedRow): string => `${table} ${Object.keys(key).join()}`;

const unsetIn = (columns: TableColumns): FoldedRow['values'] =>
  Object.fromEntries([...columns].map(([name, { unset }]) => [name, unset]));

/** Every column, also one that no event set; in as few statements as there are tables. */
export const compareRows = async (db: Queryable, rows: readonly FoldedRow[]): Promise<readonly RowDifference[]> => {
  const differing: RowDifference[] = [];
  const columns = await tableColumns(
    db,
    rows.map(({ table }) => table),
  );
  for (const alike of Map.groupBy(rows, shapeOf).values()) {
    const [{ table, key } = { table: '', key: {} }] = alike;
    const unset = unsetIn(columns.get(table) ?? new Map());
    const whole = alike.map((row) => ({ ...unset, ...row.key, ...row.values }));
    const names = new Set(whole.flatMap((row) => Object.keys(row))).difference(new Set(Object.keys(key)));
    const found = await db.query<Found>(textFor(table, Object.keys(key), [...names]), [JSON.stringify(whole)]);
    for (const each of found.rows) differing.push(differenceOf(alike[Number(each.nth) - 1] as FoldedRow, each));
  }
  return differing;
};
