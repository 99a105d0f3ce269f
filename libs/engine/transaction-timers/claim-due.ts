import type { Queryable } from '#platform/postgres';

export type DueTransaction = { readonly transactionId: number; readonly dueAt: Date; readonly armedBy: number };

/** A claim outlives its instance by no more than this, and leaves a timer alone whose event is not projected yet. */
const CLAIM_SECONDS = 10;

// Always in the order of the key, so that two instances wait for each other and never in a circle.
const CLAIM = `
  WITH due AS (
    SELECT t.transaction_id, t.due_at, t.armed_by
    FROM transaction_timers t
    LEFT JOIN transaction_timer_claims c
      ON c.transaction_id = t.transaction_id AND c.armed_by = t.armed_by AND c.claimed_until > now()
    WHERE t.waiting AND t.due_at <= $1 AND c.transaction_id IS NULL
    ORDER BY t.due_at LIMIT $2
  ), claimed AS (
    INSERT INTO transaction_timer_claims AS c (transaction_id, armed_by, claimed_until)
    SELECT transaction_id, armed_by, now() + make_interval(secs => $3) FROM due ORDER BY transaction_id
    ON CONFLICT (transaction_id) DO UPDATE
      SET armed_by = EXCLUDED.armed_by, claimed_until = EXCLUDED.claimed_until
      WHERE c.claimed_until <= now() OR c.armed_by <> EXCLUDED.armed_by
    RETURNING transaction_id
  )
  SELECT transaction_id AS "transactionId", due_at AS "dueAt", armed_by AS "armedBy"
  FROM due JOIN claimed USING (transaction_id)
  ORDER BY due_at`;

/** Transactions whose time is up, each given to one instance. */
export const claimDueTransactions = async (
  db: Queryable,
  now: Date,
  limit: number,
): Promise<readonly DueTransaction[]> => (await db.query<DueTransaction>(CLAIM, [now, limit, CLAIM_SECONDS])).rows;

const FORGET = `
  DELETE FROM transaction_timer_claims WHERE transaction_id IN (
    SELECT transaction_id FROM transaction_timer_claims WHERE claimed_until < now() - interval '1 minute'
    FOR UPDATE SKIP LOCKED
  )`;

/** Claims that hold nothing any more. */
export const forgetOldTransactionClaims = async (db: Queryable): Promise<void> => {
  await db.query(FORGET);
};
