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

export type Outcome = Pick<Claimed, 'id' | 'lease'> & { readonly attempt: AttemptMade; readonly verdict: Verdict };

const FINISH = `
  WITH outcome AS (
    SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::timestamptz[], $4::int[], $5::text[], $6::int[], $7::text[],
                         $8::int[], $9::text[])
      AS made (id, lease, at, status_code, error, duration_ms, status, in_ms, url)
  ), attempt AS (
    INSERT INTO webhook_attempts (delivery_id, at, status_code, error, duration_ms)
    SELECT id, at, status_code, error, duration_ms FROM outcome
  )
  UPDATE webhook_deliveries d SET
    lease = NULL,
    leased_until = NULL,
    status = outcome.status,
    due_at = now() + outcome.in_ms * interval '1 millisecond',
    done_at = CASE WHEN outcome.status = 'pending' THEN NULL ELSE now() END,
    failures = d.failures + CASE WHEN outcome.status = 'delivered' THEN 0 ELSE 1 END,
    url = coalesce(outcome.url, d.url)
  FROM outcome WHERE d.id = outcome.id AND d.lease = outcome.lease
  RETURNING d.id`;

const columnsOf = (outcomes: readonly Outcome[]): readonly unknown[] => [
  outcomes.map(({ id }) => id),
  outcomes.map(({ lease }) => lease),
  outcomes.map(({ attempt }) => attempt.at),
  outcomes.map(({ attempt }) => attempt.statusCode),
  outcomes.map(({ attempt }) => attempt.error),
  outcomes.map(({ attempt }) => attempt.durationMs),
  outcomes.map(({ verdict }) => verdict.status),
  outcomes.map(({ verdict }) => (verdict.status === 'pending' ? verdict.inMs : null)),
  outcomes.map(({ attempt }) => attempt.url ?? null),
];

/**
 * The attempts are kept whoever has the deliveries by now; what becomes of a delivery is said by the one that has it.
 * Returns those of which this was so.
 */
export const finishAttempts = async (db: Queryable, outcomes: readonly Outcome[]): Promise<ReadonlySet<number>> => {
  // In one order everywhere, so that no two statements wait for each other's rows.
  const sorted = outcomes.toSorted((a, b) => a.id - b.id);
  const values = [...columnsOf(sorted)];
  const { rows } = await db.query<{ id: number }>({ name: 'finish_webhook_attempts', text: FINISH, values });
  return new Set(rows.map(({ id }) => id));
};

/** Gives deliveries back that were taken and not attempted to the end; they are due at once. */
export const releaseLeases = async (
  db: Queryable,
  claimed: readonly Pick<Claimed, 'id' | 'lease'>[],
): Promise<void> => {
  await db.query(
    `UPDATE webhook_deliveries d SET lease = NULL, leased_until = NULL
     FROM unnest($1::bigint[], $2::uuid[]) AS held (id, lease) WHERE d.id = held.id AND d.lease = held.lease`,
    [claimed.map(({ id }) => id), claimed.map(({ lease }) => lease)],
  );
};
