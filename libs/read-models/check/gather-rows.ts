import pg from 'pg';
import { type Queryable, textArray } from '#platform/postgres';
import type { FoldedRow } from './fold-rows.ts';
import { type ColumnTypes, fieldText } from './row-text.ts';

/** Rows of the same columns, as the text that the server would write of them, and whose they are. */
type Shape<T> = {
  readonly table: string;
  readonly types: ColumnTypes;
  readonly keys: readonly string[];
  readonly columns: readonly string[];
  readonly keyTexts: readonly string[][];
  readonly texts: (string | undefined)[];
  readonly of: T[];
};

export type GatheredRows<T> = {
  readonly add: (row: FoldedRow, of: T) => void;
  /** Whose rows are not written as they are expected to be, though they may be the same in other words. */
  readonly differing: (db: Queryable) => Promise<ReadonlySet<T>>;
  readonly all: () => ReadonlySet<T>;
};

const quoted = pg.escapeIdentifier;

const selectFor = ({ table, types, keys, columns }: Shape<unknown>): string => {
  const of = (name: string): string =>
    types.get(name) === 'timestamptz' ? `t.${quoted(name)} AT TIME ZONE 'UTC'` : `t.${quoted(name)}`;
  const given = keys.map((name, nth) => `$${nth + 1}::text[]::${quoted(types.get(name) ?? 'text')}[]`);
  const same = keys.map((name) => `t.${quoted(name)} = e.${quoted(name)}`);
  return `
    SELECT e.nth, ROW(${[...keys, ...columns].map(of).join(', ')})::text
    FROM unnest(${given.join(', ')}) WITH ORDINALITY AS e (${keys.map(quoted).join(', ')}, nth)
    LEFT JOIN ${quoted(table)} AS t ON ${same.join(' AND ')}`;
};

const rowText = ({ key, values }: FoldedRow, types: ColumnTypes): string | undefined => {
  let text = '';
  for (const columns of [key, values])
    for (const name in columns) {
      const field = fieldText(columns[name], types.get(name));
      if (field === undefined) return undefined;
      text += `,${field}`;
    }
  return `(${text.slice(1)})`;
};

const NO_TYPES: ColumnTypes = new Map();

type Row = readonly [nth: number, text: string];

/**
 * What rows are to be, until they are held against the tables. Kept as text: objects that live so long cost the collector
 * as much as all the rest, and for the server to write rows is less work than to read others and compare the two.
 */
export const gatherRows = <T>(tables: ReadonlyMap<string, ColumnTypes>): GatheredRows<T> => {
  const shapes = new Map<string, Shape<T>>();
  const shapeFor = ({ table, key, values }: FoldedRow): Shape<T> => {
    let name = table;
    for (const column in key) name += ` ${column}`;
    for (const column in values) name += ` ${column}`;
    const known = shapes.get(name);
    if (known) return known;
    const [keys, columns] = [Object.keys(key), Object.keys(values)];
    const types = tables.get(table) ?? NO_TYPES;
    const shape = { table, types, keys, columns, keyTexts: keys.map(() => []), texts: [], of: [] };
    shapes.set(name, shape);
    return shape;
  };

  const differingOf = async (db: Queryable, shape: Shape<T>): Promise<readonly T[]> => {
    const query = { text: selectFor(shape), values: shape.keyTexts.map(textArray), rowMode: 'array' };
    const { rows } = await db.query<Row[]>(query as never);
    const differing: T[] = [];
    for (const row of rows) {
      const [nth, text] = row as unknown as Row;
      if (shape.texts[Number(nth) - 1] !== text) differing.push(shape.of[Number(nth) - 1] as T);
    }
    return differing;
  };

  return {
    add: (row, whose) => {
      const { types, keys, keyTexts, texts, of } = shapeFor(row);
      for (const [nth, name] of keys.entries()) keyTexts[nth]?.push(String(row.key[name]));
      texts.push(rowText(row, types));
      of.push(whose);
    },
    differing: async (db) => {
      const differing = new Set<T>();
      for (const shape of shapes.values()) for (const whose of await differingOf(db, shape)) differing.add(whose);
      return differing;
    },
    all: () => new Set([...shapes.values()].flatMap(({ of }) => of)),
  };
};
