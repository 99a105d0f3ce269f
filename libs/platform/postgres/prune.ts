import type { Queryable } from './transaction.ts';

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
