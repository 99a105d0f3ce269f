import type { RowChange } from './row-change.ts';

const columnsOf = (change: RowChange): readonly string[] => {
  if (change.kind === 'delete') return [];
  return Object.keys(change.kind === 'add' ? change.amounts : change.values);
};

const isAmount = (amount: string | number): boolean =>
  typeof amount === 'number' ? Number.isSafeInteger(amount) : /^-?\d+(\.\d+)?$/.test(amount);

/** Refuses what no statement can be made of, before a database is asked. */
export const checkChange = (change: RowChange): void => {
  const keys = Object.keys(change.key);
  const columns = columnsOf(change);
  const what = `${change.kind} on table ${change.table}`;
  if (keys.length === 0) throw new TypeError(`${what}: no key column names the row`);
  const both = columns.find((column) => keys.includes(column));
  if (both !== undefined) throw new TypeError(`${what}: column ${both} is in the key and among the values`);
  if (columns.length === 0 && (change.kind === 'update' || change.kind === 'add'))
    throw new TypeError(`${what}: no column to change`);
  if (change.kind !== 'add') return;
  for (const [column, amount] of Object.entries(change.amounts))
    if (!isAmount(amount))
      throw new TypeError(`${what}: ${column} takes a decimal as text or a whole number, not ${amount}`);
};
