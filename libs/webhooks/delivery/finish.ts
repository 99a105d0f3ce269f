import type { Queryable } from '#platform/postgres';
import type { Claimed } from './claim.ts';

export type AttemptMade = {
  readonly at: Date;
  readonly url: string | undefined;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly durationMs: number;
};

export type Verdict =
  | { readonly status: 'delivered' }
  | { readonly status: 'dead' }
  | { readonly status: 'pending'; readonly inMs: number };

/**
 * The attempt is kept whoever has the delivery by now; what becomes of the delivery is said by the one that has it,
 * and false tells that another has.
 */
export const finishAttempt = async (
  db: Queryable,
  { id, lease }: Pick<Claimed, 'id' | 'lease'>,
  { at, url, statusCode, error, durationMs }: AttemptMade,
  verdict: Verdict,
): Promise<boolean> => {
  const inMs = verdict.status === 'pending' ? verdict.inMs : null;
  const { rows } = await db.query<{ finished: boolean }>(
    `WITH attempt AS (
       INSERT INTO webhook_attempts (delivery_id, at, status_code, error, duration_ms) VALUES ($1, $3, $4, $5, $6)
     ), finished AS (
       UPDATE webhook_deliveries SET
         lease = NULL,
         status = $7,
         due_at = now() + $8::int * interval '1 millisecond',
         done_at = CASE WHEN $7 = 'pending' THEN NULL ELSE now() END,
         failures = failures + CASE WHEN $7 = 'delivered' THEN 0 ELSE 1 END,
         url = coalesce($9, url)
       WHERE id = $1 AND lease = $2
       RETURNING id
     )
     SELECT EXISTS (SELECT FROM finished) AS finished`,
    [id, lease, at, statusCode, error, durationMs, verdict.status, inMs, url ?? null],
  );
  return rows[0]?.finished === true;
};

/** Gives deliveries back that were taken and not attempted to the end; they are due at once. */
export const releaseLeases = async (
  db: Queryable,
  claimed: readonly Pick<Claimed, 'id' | 'lease'>[],
): Promise<void> => {
  await db.query(
    `UPDATE webhook_deliveries d SET lease = NULL, due_at = now()
     FROM unnest($1::bigint[], $2::uuid[]) AS held (id, lease) WHERE d.id = held.id AND d.lease = held.lease`,
    [claimed.map(({ id }) => id), claimed.map(({ lease }) => lease)],
  );
};
