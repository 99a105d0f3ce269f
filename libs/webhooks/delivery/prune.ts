import { prune, type Queryable, ROWS_AT_ONCE } from '#platform/postgres';
import { undeliveredRow } from './undelivered-row.ts';

const PRUNE = `
  DELETE FROM webhook_bodies WHERE delivery_id IN (
    SELECT b.delivery_id FROM webhook_bodies b
    WHERE b.kept_from < now() - $1::float8 * interval '1 day'
      AND (SELECT true FROM ${undeliveredRow('b.delivery_id')} u) IS NULL
    ORDER BY b.kept_from LIMIT ${ROWS_AT_ONCE} FOR UPDATE OF b SKIP LOCKED)`;

/**
 * Lets go of the bodies of what was delivered long ago; the deliveries and their attempts stay. One that is being sent
 * again at this moment has a new time in its row, which is looked at once more when the row is locked. Returns how many.
 */
export const pruneBodies = (db: Queryable, keepDays: number, signal?: AbortSignal): Promise<number> =>
  prune(db, PRUNE, [keepDays], signal);
