import type pg from 'pg';
import type { Queryable } from './transaction.ts';

type InOrder = {
  readonly table: string;
  /** Counts up as rows come, and is indexed. */
  readonly key: string;
  /** When a row came, or another time that goes up with the key but for moments. */
  readonly at: string;
  /** Removes of the rows `$1`, keys in an array, those that may go. */
  readonly remove: string;
};

type Row = { readonly key: string; readonly old: boolean };

/** From the oldest on, page by page, up to the first row that is younger; so it costs what goes and not what stays. */
export const pruneInOrder = async (
  db: Queryable,
  { table, key, at, remove }: InOrder,
  keepDays: number,
  signal?: AbortSignal,
): Promise<number> => {
  const page = `
    SELECT ${key}::text AS key, ${at} < now() - $2::float8 * interval '1 day' AS old
    FROM ${table} WHERE ${key} > $1 ORDER BY ${table}.${key} LIMIT ${ROWS_AT_ONCE}`;
  let pruned = 0;
  for (let after = '0'; !signal?.aborted; ) {
    const { rows }: pg.QueryResult<Row> = await db.query<Row>(page, [after, keepDays]);
    const old = rows.filter((row) => row.old).map((row) => row.key);
    if (old.length > 0) pruned += (await db.query(remove, [old])).rowCount ?? 0;
    if (old.length < ROWS_AT_ONCE) return pruned;
    after = rows.at(-1)?.key ?? after;
  }
  return pruned;
};

/** Small, so that no removal holds its snapshot or its locks for long. */
export const ROWS_AT_ONCE = 1_000;

/** Repeats a statement that removes `ROWS_AT_ONCE` rows at most, for as long as it finds so many; returns how many went. */
export const prune = async (
  db: Queryable,
  text: string,
  values: readonly unknown[],
  signal?: AbortSignal,
): Promise<number> => {
  for (let pruned = 0; ; ) {
    const removed = (await db.query(text, [...values])).rowCount ?? 0;
    pruned += removed;
    if (removed < ROWS_AT_ONCE || signal?.aborted) return pruned;
  }
};
