import type { Queryable } from '#platform/postgres';
import type { PreparedRefund } from './refund-sender.ts';

export type Attempt = PreparedRefund & { readonly attempt: number };

/** A claim outlives its instance by no more than this; no sender may take longer. */
const CLAIM_SECONDS = 120;

const LAST = `
  SELECT attempt, txid, transaction FROM refund_attempts WHERE return_id = $1 ORDER BY attempt DESC LIMIT 1`;

export const lastAttempt = async (db: Queryable, returnId: number): Promise<Attempt | undefined> =>
  (await db.query<Attempt>(LAST, [returnId])).rows[0];

const RECORD = `
  INSERT INTO refund_attempts (return_id, attempt, txid, transaction, claimed_until)
  VALUES ($1, $2, $3, $4, '-infinity') ON CONFLICT DO NOTHING`;

/** Before anything is sent. Of two instances one records; both then read the same. */
export const recordAttempt = async (db: Queryable, returnId: number, attempt: Attempt): Promise<void> => {
  await db.query(RECORD, [returnId, attempt.attempt, attempt.txid, attempt.transaction]);
};

const CLAIM = `
  UPDATE refund_attempts SET claimed_until = now() + make_interval(secs => $3)
  WHERE return_id = $1 AND attempt = $2 AND claimed_until <= now()`;

/** False while another instance is at it. */
export const claimAttempt = async (db: Queryable, returnId: number, attempt: number): Promise<boolean> =>
  (await db.query(CLAIM, [returnId, attempt, CLAIM_SECONDS])).rowCount === 1;

const SENT = `
  UPDATE refund_attempts SET sent_at = coalesce(sent_at, now()) WHERE return_id = $1 AND attempt = $2`;

export const markSent = async (db: Queryable, returnId: number, attempt: number): Promise<void> => {
  await db.query(SENT, [returnId, attempt]);
};

/** For the next cycle, whatever came of this one. */
export const releaseAttempt = async (db: Queryable, returnId: number, attempt: number): Promise<void> => {
  await db.query(`UPDATE refund_attempts SET claimed_until = '-infinity' WHERE return_id = $1 AND attempt = $2`, [
    returnId,
    attempt,
  ]);
};
