import type { Stage } from './stage.ts';

const STEP = 100_000;

/**
 * Deliveries of the past year, each with its attempt, spread over the endpoints that are sent to now and ten to a
 * deposit. Bodies are kept for a month; the rest are pruned.
 */
const FILL = `
  WITH made AS (
    INSERT INTO webhook_deliveries (webhook_id, event, deposit_id, entity_id, endpoint, url, recorded_at, created_at)
    SELECT (lpad(to_hex((extract(epoch FROM old.at) * 1000)::bigint), 12, '0') || '8' || substr(md5(n::text), 1, 3)
            || '8' || substr(md5(n::text), 4, 15))::uuid,
           'deposit.accepted', n / 10, old.entity_id, 'entity ' || old.entity_id, 'http://127.0.0.1:9/', old.at, old.at
    FROM generate_series($1::int, $2::int) AS n
    CROSS JOIN LATERAL (
      SELECT now() - (1 - n / $3::float8) * interval '365 days' AS at,
             ($4::bigint[])[1 + n % cardinality($4::bigint[])] AS entity_id) AS old
    RETURNING id, created_at
  ), kept AS (
    INSERT INTO webhook_bodies (delivery_id, body, kept_from)
    SELECT id, repeat('x', 700), created_at FROM made WHERE created_at > now() - interval '30 days'
  )
  INSERT INTO webhook_attempts (delivery_id, at, status_code, duration_ms) SELECT id, created_at, 200, 10 FROM made`;

export const fillDone = async (
  { pool, entityIds }: Pick<Stage, 'pool' | 'entityIds'>,
  count: number,
): Promise<void> => {
  for (let from = 0; from < count; from += STEP)
    await pool.query(FILL, [from + 1, Math.min(from + STEP, count), count, entityIds]);
};
