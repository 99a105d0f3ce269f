import type { Queryable } from '#platform/postgres';

/**
 * Makes the deliveries of `kept` due at once, with all their retries before them again. What somebody is claiming, sending
 * or finishing at this moment is left alone, and not waited for: a step holds many rows, and whoever waits for another's
 * with own ones in hand can be waited for in turn.
 */
export const DUE_AGAIN = `
  free AS MATERIALIZED (
    SELECT u.delivery_id FROM webhooks_undelivered u
    WHERE u.delivery_id = ANY (ARRAY(SELECT delivery_id FROM kept)) AND (u.lease IS NULL OR u.leased_until <= now())
    FOR UPDATE SKIP LOCKED
  ), again AS (
    UPDATE webhooks_undelivered SET due_at = now(), failures = 0, lease = NULL, leased_until = NULL, life = NULL
    WHERE delivery_id = ANY (ARRAY(SELECT delivery_id FROM free))
    RETURNING delivery_id
  ), anew AS (
    INSERT INTO webhooks_undelivered (delivery_id, entity_id, endpoint, owner)
    SELECT d.id, d.entity_id, d.endpoint, d.owner FROM kept JOIN webhook_deliveries d ON d.id = kept.delivery_id ORDER BY d.id
    ON CONFLICT (delivery_id) DO NOTHING
    RETURNING delivery_id
  ), due AS (
    SELECT delivery_id FROM again UNION ALL SELECT delivery_id FROM anew
  )`;

export type SentAgain = 'due' | 'not_found' | 'body_gone' | 'under_way';

/** Due at once, whatever became of it before. */
export const redeliver = async (db: Queryable, id: number): Promise<SentAgain> => {
  const { rowCount } = await db.query(
    `WITH kept AS (UPDATE webhook_bodies SET kept_from = now() WHERE delivery_id = $1 RETURNING delivery_id),
     ${DUE_AGAIN}
     SELECT FROM due`,
    [id],
  );
  if (rowCount === 1) return 'due';
  const { rows } = await db.query<{ gone: boolean }>(
    `SELECT NOT EXISTS (SELECT FROM webhook_bodies WHERE delivery_id = d.id) AS gone
     FROM webhook_deliveries d WHERE d.id = $1`,
    [id],
  );
  const [found] = rows;
  if (!found) return 'not_found';
  return found.gone ? 'body_gone' : 'under_way';
};
