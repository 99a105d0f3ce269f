import pg from 'pg';
import { type Queryable, textArray } from '#platform/postgres';
import type { Columns } from '../changes/row-change.ts';
import type { FoldedRow } from './fold-rows.ts';
import { fieldText } from './row-text.ts';
import type { TableColumns } from './table-columns.ts';

/** Rows of a table, as the text that the server would write of them, and whose they are. */
type Shape<T> = {
  readonly table: string;
  readonly all: TableColumns;
  readonly keys: readonly string[];
  /** The others. */
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

const selectFor = ({ table, all, keys, columns }: Shape<unknown>): string => {
  const of = (name: string): string =>
    all.get(name)?.type === 'timestamptz' ? `t.${quoted(name)} AT TIME ZONE 'UTC'` : `t.${quoted(name)}`;
  const given = keys.map((name, nth) => `$${nth + 1}::text[]::${quoted(all.get(name)?.type ?? 'text')}[]`);
  const same = keys.map((name) => `t.${quoted(name)} = e.${quoted(name)}`);
  return `
    SELECT e.nth, ROW(${[...keys, ...columns].map(of).join(', ')})::text
    FROM unnest(${given.join(', ')}) WITH ORDINALITY AS e (${keys.map(quoted).join(', ')}, nth)
    LEFT JOIN ${quoted(table)} AS t ON ${same.join(' AND ')}`;
};

const fieldsText = (names: readonly string[], values: Columns, all: TableColumns): string | undefined => {
  let text = '';
  for (const name of names) {
    const column = all.get(name);
    const field = fieldText(name in values ? values[name] : column?.unset, column?.type);
    if (field === undefined) return undefined;
    text += `,${field}`;
  }
  return text;
};

/** Also of columns that no event set. What no column is for is left to whoever asks the server. */
const rowText = ({ key, values }: FoldedRow, { all, keys, columns }: Shape<unknown>): string | undefined => {
  for (const name in values) if (!all.has(name)) return undefined;
  const [ofKey, ofValues] = [fieldsText(keys, key, all), fieldsText(columns, values, all)];
  return ofKey === undefined || ofValues === undefined ? undefined : `(${ofKey.slice(1)}${ofValues})`;
};

const NO_COLUMNS: TableColumns = new Map();

type Row = readonly [nth: number, text: string];

/**
 * What rows are to be, until they are held against the tables. Kept as text: objects that live so long cost the collector
 * as much as all the rest, and for the server to write rows is less work than to read others and compare the two.
 */
export const gatherRows = <T>(tables: ReadonlyMap<string, TableColumns>): GatheredRows<T> => {
  const shapes = new Map<string, Shape<T>>();
  const shapeFor = ({ table, key }: FoldedRow): Shape<T> => {
    let name = table;
    for (const column in key) name += ` ${column}`;
    const known = shapes.get(name);
    if (known) return known;
    const all = tables.get(table) ?? NO_COLUMNS;
    const keys = Object.keys(key);
    const columns = [...all.keys()].filter((column) => !keys.includes(column));
    const shape = { table, all, keys, columns, keyTexts: keys.map(() => []), texts: [], of: [] };
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
      const shape = shapeFor(row);
      const { keys, keyTexts, texts, of } = shape;
      for (const [nth, name] of keys.entries()) keyTexts[nth]?.push(String(row.key[name]));
      texts.push(rowText(row, shape));
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
