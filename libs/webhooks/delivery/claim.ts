import { randomUUID } from 'node:crypto';
import type { Queryable } from '#platform/postgres';

/** A delivery that this scheduler has, until its lease ends. */
export type Claimed = {
  readonly id: number;
  readonly webhookId: string;
  readonly event: string;
  /** Null: of the older interface, and for the affiliate. */
  readonly entityId: number | null;
  readonly affiliateId: number | null;
  readonly endpoint: string;
  /** Where it went last. */
  readonly url: string;
  /** Null: it is gone, and there is nothing that could be sent. */
  readonly body: string | null;
  readonly failures: number;
  /** When the log took the event, in milliseconds since 1970. */
  readonly recordedMs: number;
  readonly lease: string;
  /** On the monotonic clock: when half of its lease is over. An attempt that starts by then ends before the lease. */
  readonly startBy: number;
};

type Row = Omit<Claimed, 'lease' | 'startBy'>;

export type ClaimOptions = {
  /** Of the scheduler that claims; one that is taken for dead claims nothing. */
  readonly life: string;
  /** Longer than the time limit of an attempt, so that two attempts of one delivery never overlap. */
  readonly leaseMs: number;
  /** Most deliveries of this claim. */
  readonly room: number;
  /** Most of each endpoint that is known; one that is in neither list is new, and gets one. */
  readonly roomOf: ReadonlyMap<string, number>;
  /** Endpoints that failed or were slow the last time, and how many of them may have one delivery more. */
  readonly doubtful: readonly string[];
  readonly roomOfDoubtful: number;
  /** Most endpoints that are new. */
  readonly roomOfNew: number;
};

const IS_DUE_AT = (endpoint: string): string =>
  `u.due_at IS NOT NULL AND u.endpoint = ${endpoint} AND u.due_at <= now()
   AND (u.lease IS NULL OR u.leased_until <= now())`;

/** With a limit of its own, so that it is looked up endpoint by endpoint in every plan. */
const ONE_DUE_AT = (endpoint: string): string =>
  `SELECT FROM webhooks_undelivered u WHERE ${IS_DUE_AT(endpoint)} LIMIT 1`;

/**
 * Steps from endpoint to endpoint in the index of what is pending, and takes of each, in a random order, what is due as
 * far as there is room for it. So the cost goes by the endpoints that wait for something, not by how much waits at each,
 * and none stands behind another's backlog. What another scheduler is taking at this moment is passed over.
 */
const CLAIM = `
  WITH RECURSIVE step AS (
    (SELECT endpoint FROM webhooks_undelivered WHERE due_at IS NOT NULL ORDER BY endpoint LIMIT 1)
    UNION ALL
    SELECT (SELECT u.endpoint FROM webhooks_undelivered u
            WHERE u.due_at IS NOT NULL AND u.endpoint > step.endpoint ORDER BY u.endpoint LIMIT 1)
    FROM step WHERE step.endpoint IS NOT NULL
  ),
  -- Held to the end of the claim, so that whoever takes over from this life sees all that it had.
  living AS MATERIALIZED (SELECT FROM webhook_lives WHERE life = $9 FOR KEY SHARE),
  turn AS (
    (SELECT step.endpoint, known.room
     FROM step JOIN unnest($4::text[], $5::int[]) AS known (endpoint, room) ON known.endpoint = step.endpoint
     WHERE known.room > 0)
    UNION ALL
    (SELECT step.endpoint, 1
     FROM step CROSS JOIN LATERAL (${ONE_DUE_AT('step.endpoint')}) AS one_due
     WHERE step.endpoint = ANY ($6::text[])
     ORDER BY random() LIMIT $7)
    UNION ALL
    (SELECT step.endpoint, 1
     FROM step CROSS JOIN LATERAL (${ONE_DUE_AT('step.endpoint')}) AS one_due
     WHERE step.endpoint <> ALL ($4::text[]) AND step.endpoint <> ALL ($6::text[])
     ORDER BY random() LIMIT $8)
  ),
  taken AS MATERIALIZED (
    SELECT due.place
    FROM (SELECT endpoint, room FROM turn ORDER BY random()) AS shuffled
    CROSS JOIN LATERAL (
      SELECT u.ctid AS place FROM webhooks_undelivered u WHERE ${IS_DUE_AT('shuffled.endpoint')}
      ORDER BY u.due_at LIMIT shuffled.room FOR UPDATE SKIP LOCKED
    ) due
    WHERE EXISTS (SELECT FROM living)
    LIMIT $3
  ),
  claimed AS (
    UPDATE webhooks_undelivered u SET
      lease = $1,
      leased_until = now() + $2::int * interval '1 millisecond',
      life = $9
    -- By their places, which cannot change while they are locked.
    FROM taken WHERE u.ctid = taken.place
    RETURNING u.delivery_id, u.failures
  )
  SELECT d.*, claimed.failures
  FROM claimed CROSS JOIN LATERAL (
    SELECT d.id, d.webhook_id AS "webhookId", d.event, d.entity_id AS "entityId", d.affiliate_id AS "affiliateId",
           d.endpoint, d.url,
           extract(epoch FROM d.recorded_at)::float8 * 1000 AS "recordedMs", b.body
    FROM webhook_deliveries d LEFT JOIN webhook_bodies b ON b.delivery_id = d.id
    WHERE d.id = claimed.delivery_id LIMIT 1
  ) AS d`;

export const claimDue = async (
  db: Queryable,
  { life, leaseMs, room, roomOf, doubtful, roomOfDoubtful, roomOfNew }: ClaimOptions,
): Promise<readonly Claimed[]> => {
  const known = [[...roomOf.keys()], [...roomOf.values()]];
  const lease = randomUUID();
  // From before the question: the server's lease begins later than this.
  const startBy = performance.now() + leaseMs / 2;
  const values = [lease, leaseMs, room, ...known, doubtful, roomOfDoubtful, roomOfNew, life];
  // Planned anew each time, by how much is waiting now: a plan of a quiet hour would read every row of a backlog.
  const { rows } = await db.query<Row>(CLAIM, values);
  return rows.map((row) => ({ ...row, lease, startBy }));
};
