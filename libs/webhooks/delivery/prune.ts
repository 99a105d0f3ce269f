import { prune, pruneInOrder, type Queryable, ROWS_AT_ONCE } from '#platform/postgres';
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

/** A dead one stays: somebody has to look at it. What is not delivered has a row, and so its body. */
const REMOVE = `
  WITH gone AS (
    DELETE FROM webhook_deliveries d WHERE d.id = ANY($1::bigint[])
      AND NOT EXISTS (SELECT FROM webhooks_undelivered u WHERE u.delivery_id = d.id)
      AND NOT EXISTS (SELECT FROM webhook_bodies b WHERE b.delivery_id = d.id)
    RETURNING d.id), attempts AS (
    DELETE FROM webhook_attempts WHERE delivery_id IN (SELECT id FROM gone))
  SELECT FROM gone`;

const DELIVERIES = { table: 'webhook_deliveries', key: 'id', at: 'created_at', remove: REMOVE };

/**
 * Lets go of deliveries with their attempts, after their bodies. They also keep a message that the bus brings twice from
 * being sent twice: `keepDays` outlasts whatever a bus keeps.
 */
export const pruneDeliveries = (db: Queryable, keepDays: number, signal?: AbortSignal): Promise<number> =>
  pruneInOrder(db, DELIVERIES, keepDays, signal);
