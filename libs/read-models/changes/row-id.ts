import type { RowChange } from './row-change.ts';

export const keyColumns = (change: RowChange): string[] => Object.keys(change.key).sort();

/** The same text for two changes exactly when they touch the same row. */
export const rowIdOf = (change: RowChange): string =>
  JSON.stringify([change.table, ...keyColumns(change).map((column) => change.key[column])]);
