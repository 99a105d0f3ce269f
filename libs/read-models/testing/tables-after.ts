import { checkChange } from '../changes/check-change.ts';
import { addDecimals } from '../changes/decimals.ts';
import type { Columns, RowChange } from '../changes/row-change.ts';
import { rowIdOf } from '../changes/row-id.ts';

/** Table → its rows in the order they came. What is added up is text, as it comes back from numeric. */
export type Tables = { readonly [table: string]: readonly Columns[] };

const sum = (before: Columns | undefined, change: RowChange & { kind: 'add' }): Columns =>
  Object.fromEntries(
    Object.entries(change.amounts).map(([column, amount]) => [
      column,
      addDecimals(String(before?.[column] ?? '0'), String(amount)),
    ]),
  );

/** The row afterwards; undefined when it is gone. */
const rowAfter = (before: Columns | undefined, change: RowChange): Columns | undefined => {
  const what = `table ${change.table}, row ${JSON.stringify(change.key)}`;
  switch (change.kind) {
    case 'insert':
      if (before) throw new Error(`${what}: inserted, but it is there`);
      return { ...change.key, ...change.values };
    case 'update':
      if (!before) throw new Error(`${what}: updated, but it is not there`);
      return { ...before, ...change.values };
    case 'upsert':
      return { ...before, ...change.key, ...change.values };
    case 'add':
      return { ...before, ...change.key, ...sum(before, change) };
    case 'delete':
      return undefined;
  }
};

/** What the changes make of empty tables, one by one: the plain meaning that the statements have to agree with. */
export const tablesAfter = (changes: readonly RowChange[]): Tables => {
  const rows = new Map<string, { table: string; row: Columns }>();
  for (const change of changes) {
    checkChange(change);
    const id = rowIdOf(change);
    const row = rowAfter(rows.get(id)?.row, change);
    if (row) rows.set(id, { table: change.table, row });
    else rows.delete(id);
  }
  const tables: { [table: string]: Columns[] } = {};
  for (const { table, row } of rows.values()) {
    tables[table] ??= [];
    tables[table].push(row);
  }
  return tables;
};
