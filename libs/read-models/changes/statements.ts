import pg from 'pg';
import { type CopiedTables, copyText } from './copied.ts';
import type { Columns, RowChange } from './row-change.ts';
import { keyColumns } from './row-id.ts';
import { openWaves } from './waves.ts';

export type Statement = {
  readonly text: string;
  readonly values: readonly [rows: string];
  /** The rows follow as COPY takes them. */
  readonly copies?: true;
  /** Rows that it has to touch, or something that the projection relies on is not there. */
  readonly mustTouch?: number;
};

/** The table of a projection → the table that is really written; a rebuild fills others. */
export type TableNames = (table: string) => string;

const quoted = (name: string): string => name.split('.').map(pg.escapeIdentifier).join('.');
const list = (names: readonly string[], as: (name: string) => string = (name) => name): string =>
  names.map((name) => as(quoted(name))).join(', ');

const written = (change: RowChange): string[] => {
  if (change.kind === 'delete') return [];
  return Object.keys(change.kind === 'add' ? change.amounts : change.values).sort();
};

/** Changes of one shape make one statement. */
const shapeOf = (change: RowChange): string => {
  const columns = change.kind === 'delete' ? [] : Object.keys(change.kind === 'add' ? change.amounts : change.values);
  return `${change.kind} ${change.table} ${columns.join()}`;
};

const rowOf = (change: RowChange): Columns => {
  if (change.kind === 'delete') return change.key;
  return { ...change.key, ...(change.kind === 'add' ? change.amounts : change.values) };
};

/**
 * The rows travel as one JSON parameter and take their types from the table itself, so the text depends on the shape
 * alone. MERGE and not ON CONFLICT, which judges the checks of the row it would have inserted: adding -5 to a total
 * that may not be negative would fail. It is safe because a projection has one writer.
 */
const textFor = (change: RowChange, tableNames: TableNames): string => {
  const table = quoted(tableNames(change.table));
  const keys = keyColumns(change);
  const columns = written(change);
  const given = `json_populate_recordset(NULL::${table}, $1)`;
  const same = keys.map((key) => `t.${quoted(key)} = given.${quoted(key)}`).join(' AND ');
  const all = [...keys, ...columns];
  const insert = `(${list(all)}) VALUES (${list(all, (name) => `given.${name}`)})`;
  const assign = list(columns, (name) => `${name} = given.${name}`);
  switch (change.kind) {
    case 'insert':
      return `INSERT INTO ${table} (${list(all)}) SELECT ${list(all)} FROM ${given}`;
    case 'update':
      return `UPDATE ${table} AS t SET ${assign} FROM ${given} AS given WHERE ${same}`;
    case 'upsert':
      return `MERGE INTO ${table} AS t USING ${given} AS given ON ${same}
        WHEN MATCHED THEN ${columns.length > 0 ? `UPDATE SET ${assign}` : 'DO NOTHING'}
        WHEN NOT MATCHED THEN INSERT ${insert}`;
    case 'add':
      return `MERGE INTO ${table} AS t
        USING ${given} AS given ON ${same}
        WHEN MATCHED THEN UPDATE SET ${list(columns, (name) => `${name} = coalesce(t.${name}, 0) + given.${name}`)}
        WHEN NOT MATCHED THEN INSERT ${insert}`;
    case 'delete':
      return `DELETE FROM ${table} AS t USING ${given} AS given WHERE ${same}`;
  }
};

const mustTouchAll = (change: RowChange): boolean => change.kind === 'insert' || change.kind === 'update';

type Alike = readonly [RowChange, ...RowChange[]];

const copyFor = ([first, ...more]: Alike, tableNames: TableNames, copied: CopiedTables): Statement | undefined => {
  const columns = copied.get(first.table);
  if (first.kind !== 'insert' || !columns) return undefined;
  const names = [...keyColumns(first), ...written(first)];
  const rows = copyText([first, ...more].map(rowOf), names, columns);
  const text = `COPY ${quoted(tableNames(first.table))} (${list(names)}) FROM STDIN`;
  return rows === undefined ? undefined : { text, values: [rows], copies: true };
};

const statementFor = (changes: Alike, tableNames: TableNames): Statement => ({
  text: textFor(changes[0], tableNames),
  values: [JSON.stringify(changes.map(rowOf))],
  ...(mustTouchAll(changes[0]) && { mustTouch: changes.length }),
});

const EVERY: TableNames = (table) => table;

/** As few statements as the changes allow; run in order they do what the changes do one by one. */
export const statementsOf = (
  waves: readonly (readonly RowChange[])[],
  tableNames: TableNames = EVERY,
  copied: CopiedTables = new Map(),
): Statement[] =>
  waves.flatMap((wave) =>
    [...Map.groupBy(wave, shapeOf).values()].map((shape) => {
      const alike = shape as unknown as Alike;
      return copyFor(alike, tableNames, copied) ?? statementFor(alike, tableNames);
    }),
  );

export const statementsFor = (changes: readonly RowChange[], tableNames?: TableNames): Statement[] => {
  const waves = openWaves();
  for (const change of changes) waves.take(change);
  return statementsOf(waves.waves(), tableNames);
};
