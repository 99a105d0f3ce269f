import type { Json } from '#event-log';

/** Column → value as JSON: numeric and bigint as text, times as ISO 8601, a jsonb column takes any JSON. */
export type Columns = { readonly [column: string]: Json };

/** Column → what is added to it: decimals as text; a number only counts, so it has to be whole. */
export type Amounts = { readonly [column: string]: string | number };

/**
 * What an event does to one row, as a description and not as SQL. So a projection is tested without a database, its
 * tables can be renamed under it (a rebuild fills others), and the runner sees which changes touch different rows:
 * those have no order among themselves, so that a batch of hundreds of events becomes a handful of statements.
 *
 * Every change names its row by `key`, and a table is always addressed by the same key columns.
 */
export type RowChange =
  /** The row must be new. */
  | { readonly kind: 'insert'; readonly table: string; readonly key: Columns; readonly values: Columns }
  /** Written whether it is there or not. */
  | { readonly kind: 'upsert'; readonly table: string; readonly key: Columns; readonly values: Columns }
  /** The row must be there: a change that would be lost in silence is a mistake of the projection. */
  | { readonly kind: 'update'; readonly table: string; readonly key: Columns; readonly values: Columns }
  /** Kept totals: added to the row, or the row begins with it. */
  | { readonly kind: 'add'; readonly table: string; readonly key: Columns; readonly amounts: Amounts }
  /** Gone afterwards, whether it was there or not. */
  | { readonly kind: 'delete'; readonly table: string; readonly key: Columns };

export const insertRow = (table: string, key: Columns, values: Columns = {}): RowChange => ({
  kind: 'insert',
  table,
  key,
  values,
});

export const upsertRow = (table: string, key: Columns, values: Columns = {}): RowChange => ({
  kind: 'upsert',
  table,
  key,
  values,
});

export const updateRow = (table: string, key: Columns, values: Columns): RowChange => ({
  kind: 'update',
  table,
  key,
  values,
});

export const addToRow = (table: string, key: Columns, amounts: Amounts): RowChange => ({
  kind: 'add',
  table,
  key,
  amounts,
});

export const deleteRow = (table: string, key: Columns): RowChange => ({ kind: 'delete', table, key });
