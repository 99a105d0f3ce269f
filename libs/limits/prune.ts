import { prune, type Queryable, ROWS_AT_ONCE } from '#platform/postgres';

const PRUNE = `
  DELETE FROM limit_windows WHERE subject IN (
    SELECT subject FROM limit_windows WHERE ends_at < now() ORDER BY ends_at LIMIT ${ROWS_AT_ONCE} FOR UPDATE SKIP LOCKED)`;

/** Windows that are over count nothing any more. */
export const pruneLimits = (db: Queryable, stopping?: AbortSignal): Promise<number> => prune(db, PRUNE, [], stopping);
