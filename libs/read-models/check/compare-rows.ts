import pg from 'pg';
import type { Queryable } from '#platform/postgres';
import type { FoldedRow } from './fold-rows.ts';

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

/** Key and values as one object, of which no copy is made. */
const jsonOf = ({ key, values }: FoldedRow): string => {
  const [first, more] = [JSON.stringify(key).slice(0, -1), JSON.stringify(values).slice(1)];
  return more === '}' ? `${first}}` : `${first},${more}`;
};

/** Rows that look alike, as the text that the server is given of them, and whose they are. */
type Shape<T> = {
  readonly table: string;
  readonly keys: readonly string[];
  readonly columns: readonly string[];
  readonly texts: string[];
  readonly of: T[];
};

export type GatheredRows<T> = {
  readonly add: (row: FoldedRow, of: T) => void;
  /** Which of them are not as they are expected to be, in as few statements as there are shapes of rows. */
  readonly differing: (db: Queryable) => Promise<readonly (readonly [of: T, found: Found])[]>;
};

/** Kept as text until they are compared: objects that live so long cost the collector as much as all the rest. */
export const gatherRows = <T>(): GatheredRows<T> => {
  const shapes = new Map<string, Shape<T>>();
  const shapeFor = ({ table, key, values }: FoldedRow): Shape<T> => {
    const [keys, columns] = [Object.keys(key), Object.keys(values)];
    const name = `${table} ${keys.join()} ${columns.join()}`;
    const known = shapes.get(name) ?? { table, keys, columns, texts: [], of: [] };
    shapes.set(name, known);
    return known;
  };
  return {
    add: (row, whose) => {
      const { texts, of } = shapeFor(row);
      texts.push(jsonOf(row));
      of.push(whose);
    },
    differing: async (db) => {
      const differing: (readonly [T, Found])[] = [];
      for (const { table, keys, columns, texts, of } of shapes.values()) {
        const { rows } = await db.query<Found>(textFor(table, keys, columns), [`[${texts.join()}]`]);
        for (const found of rows) differing.push([of[Number(found.nth) - 1] as T, found]);
      }
      return differing;
    },
  };
};

export const compareRows = async (db: Queryable, rows: readonly FoldedRow[]): Promise<readonly RowDifference[]> => {
  const gathered = gatherRows<FoldedRow>();
  for (const row of rows) gathered.add(row, row);
  return (await gathered.differing(db)).map(([row, found]) => differenceOf(row, found));
};
