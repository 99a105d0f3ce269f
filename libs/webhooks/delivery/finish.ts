import type { Queryable } from '#platform/postgres';
import type { Claimed } from './claim.ts';

export type AttemptMade = {
  readonly at: Date;
  /** Where it went, if not where it went before. */
  readonly movedTo: string | null;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  /** The beginning of what was answered. */
  readonly answer: string | null;
};

export type Verdict =
  | { readonly status: 'delivered' }
  | { readonly status: 'dead' }
  | { readonly status: 'pending'; readonly inMs: number };

export type Outcome = Pick<Claimed, 'id' | 'lease'> & { readonly attempt: AttemptMade; readonly verdict: Verdict };

/**
 * Rows of the undelivered are named by lists of ids and leases, not by a join: after a quiet hour the planner believes that
 * there are none, and would compare every row of a backlog with every outcome. A lease names one claim, so an id with any
 * lease of the list is still whose it was, or was claimed again by the same scheduler.
 */
const HELD = 'u.delivery_id = ANY ($1::bigint[]) AND u.lease = ANY ($2::uuid[])';

const FINISH = `
  WITH attempt AS (
    INSERT INTO webhook_attempts (delivery_id, at, status_code, error, duration_ms, answer)
    SELECT id, to_timestamp(at_ms / 1000.0), status_code, error, duration_ms, answer
    FROM unnest($1::bigint[], $3::bigint[], $4::int[], $5::text[], $6::int[], $11::text[])
      AS made (id, at_ms, status_code, error, duration_ms, answer)
  ), moved AS (
    UPDATE webhook_deliveries d SET url = moved.url FROM unnest($7::bigint[], $8::text[]) AS moved (id, url)
    WHERE d.id = moved.id
  ), failed AS (
    UPDATE webhooks_undelivered u SET
      lease = NULL,
      leased_until = NULL,
      life = NULL,
      due_at = now() + failed.in_ms * interval '1 millisecond',
      failures = u.failures + 1
    FROM unnest($9::bigint[], $10::int[]) AS failed (id, in_ms)
    WHERE ${HELD} AND u.delivery_id = ANY ($9::bigint[]) AND u.delivery_id = failed.id
    RETURNING u.delivery_id
  ), delivered AS (
    DELETE FROM webhooks_undelivered u WHERE ${HELD} AND u.delivery_id <> ALL ($9::bigint[]) RETURNING u.delivery_id
  )
  SELECT id FROM unnest($1::bigint[]) AS outcome (id)
  EXCEPT (SELECT delivery_id FROM delivered UNION ALL SELECT delivery_id FROM failed)`;

/** As Postgres writes an array of numbers: the driver would look for what to escape in each. */
const numbers = (values: readonly (number | null)[]): string => `{${values.map((value) => value ?? 'NULL').join()}}`;

const columnsOf = (outcomes: readonly Outcome[]): readonly unknown[] => {
  const moved = outcomes.filter(({ attempt }) => attempt.movedTo !== null);
  // A delivery that was lost and claimed again here may have two outcomes in one batch: the good one decides.
  const delivered = new Set(outcomes.filter(({ verdict }) => verdict.status === 'delivered').map(({ id }) => id));
  const failed = outcomes.filter(({ id }) => !delivered.has(id));
  return [
    numbers(outcomes.map(({ id }) => id)),
    [...new Set(outcomes.map(({ lease }) => lease))],
    numbers(outcomes.map(({ attempt }) => attempt.at.getTime())),
    numbers(outcomes.map(({ attempt }) => attempt.statusCode)),
    outcomes.map(({ attempt }) => attempt.error),
    numbers(outcomes.map(({ attempt }) => attempt.durationMs)),
    moved.map(({ id }) => id),
    moved.map(({ attempt }) => attempt.movedTo),
    failed.map(({ id }) => id),
    failed.map(({ verdict }) => (verdict.status === 'pending' ? verdict.inMs : null)),
    // A server of Postgres keeps no NUL in a text.
    outcomes.map(({ attempt }) => attempt.answer?.replaceAll('\0', '\uFFFD') ?? null),
  ];
};

/**
 * The attempts are kept whoever has the deliveries by now; what becomes of a delivery is said by the one that has it.
 * Returns those of which somebody else will say it.
 */
export const finishAttempts = async (db: Queryable, outcomes: readonly Outcome[]): Promise<ReadonlySet<number>> => {
  // Planned anew each time, by how much is waiting now.
  const { rows } = await db.query<{ id: number }>(FINISH, [...columnsOf(outcomes)]);
  return new Set(rows.map(({ id }) => id));
};

/** Gives deliveries back that were taken and not attempted to the end; they are due at once. */
export const releaseLeases = async (
  db: Queryable,
  claimed: readonly Pick<Claimed, 'id' | 'lease'>[],
): Promise<void> => {
  await db.query(`UPDATE webhooks_undelivered u SET lease = NULL, leased_until = NULL, life = NULL WHERE ${HELD}`, [
    claimed.map(({ id }) => id),
    [...new Set(claimed.map(({ lease }) => lease))],
  ]);
};
