import type { Queryable } from '#platform/postgres';
import type { TimerKind } from './timers-projection.ts';

export type DueTimer = {
  readonly depositId: number;
  readonly kind: TimerKind;
  readonly dueAt: Date;
  readonly armedBy: number;
};

/**
 * A claim outlives its instance by no more than this. It is also how long a timer that was rung, and whose event the
 * projection has not seen yet, is left alone.
 */
const CLAIM_SECONDS = 10;

// A deadline that was moved meanwhile is another timer: armed_by tells, and a claim of the old one does not hold it.
// Always in the order of the key, so that two instances wait for each other and never in a circle.
const CLAIM = `
  WITH due AS (
    SELECT t.deposit_id, t.kind, t.due_at, t.armed_by
    FROM timers t
    LEFT JOIN timer_claims c
      ON c.deposit_id = t.deposit_id AND c.kind = t.kind AND c.armed_by = t.armed_by AND c.claimed_until > now()
    WHERE t.waiting AND t.due_at <= $1 AND c.deposit_id IS NULL
    ORDER BY t.due_at LIMIT $2
  ), claimed AS (
    INSERT INTO timer_claims AS c (deposit_id, kind, armed_by, claimed_until)
    SELECT deposit_id, kind, armed_by, now() + make_interval(secs => $3) FROM due ORDER BY deposit_id, kind
    ON CONFLICT (deposit_id, kind) DO UPDATE
      SET armed_by = EXCLUDED.armed_by, claimed_until = EXCLUDED.claimed_until
      WHERE c.claimed_until <= now() OR c.armed_by <> EXCLUDED.armed_by
    RETURNING deposit_id, kind
  )
  SELECT deposit_id AS "depositId", kind, due_at AS "dueAt", armed_by AS "armedBy"
  FROM due JOIN claimed USING (deposit_id, kind)
  ORDER BY due_at`;

/** Due timers, each given to one instance. */
export const claimDueTimers = async (db: Queryable, now: Date, limit: number): Promise<readonly DueTimer[]> => {
  const { rows } = await db.query<DueTimer>(CLAIM, [now, limit, CLAIM_SECONDS]);
  return rows;
};

const FORGET = `
  DELETE FROM timer_claims WHERE (deposit_id, kind) IN (
    SELECT deposit_id, kind FROM timer_claims WHERE claimed_until < now() - interval '1 minute'
    FOR UPDATE SKIP LOCKED
  )`;

/** Claims that hold nothing any more. */
export const forgetOldClaims = async (db: Queryable): Promise<void> => {
  await db.query(FORGET);
};
