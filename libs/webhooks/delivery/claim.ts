import { randomUUID } from 'node:crypto';
import type { Queryable } from '#platform/postgres';

/** A delivery that this scheduler has, until its lease ends. */
export type Claimed = {
  readonly id: number;
  readonly webhookId: string;
  readonly event: string;
  readonly entityId: number;
  readonly endpoint: string;
  readonly body: string;
  readonly failures: number;
  /** When the log took the event, in milliseconds since 1970. */
  readonly recordedMs: number;
  readonly lease: string;
};

type Row = Omit<Claimed, 'lease'>;

export type ClaimOptions = {
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
  `d.due_at IS NOT NULL AND d.endpoint = ${endpoint} AND d.due_at <= now()
   AND (d.lease IS NULL OR d.leased_until <= now())`;

/** With a limit of its own, so that it is looked up endpoint by endpoint in every plan. */
const ONE_DUE_AT = (endpoint: string): string =>
  `SELECT FROM webhook_deliveries d WHERE ${IS_DUE_AT(endpoint)} LIMIT 1`;

/**
 * What is pending is asked for by its time, not by its status: only one index answers that. After a quiet hour the
 * planner believes that nothing is pending, and would take any other as well.
 *
 * Steps from endpoint to endpoint in the index of what is pending, and takes of each, in a random order, what is due as
 * far as there is room for it. So the cost goes by the endpoints that wait for something, not by how much waits at each,
 * and none stands behind another's backlog. What another scheduler is taking at this moment is passed over.
 */
const CLAIM = `
  WITH RECURSIVE step AS (
    (SELECT endpoint FROM webhook_deliveries WHERE due_at IS NOT NULL ORDER BY endpoint LIMIT 1)
    UNION ALL
    SELECT (SELECT d.endpoint FROM webhook_deliveries d
            WHERE d.due_at IS NOT NULL AND d.endpoint > step.endpoint ORDER BY d.endpoint LIMIT 1)
    FROM step WHERE step.endpoint IS NOT NULL
  ),
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
    SELECT due.id
    FROM (SELECT endpoint, room FROM turn ORDER BY random()) AS shuffled
    CROSS JOIN LATERAL (
      SELECT d.id FROM webhook_deliveries d WHERE ${IS_DUE_AT('shuffled.endpoint')}
      ORDER BY d.due_at LIMIT shuffled.room FOR UPDATE SKIP LOCKED
    ) due
    LIMIT $3
  )
  UPDATE webhook_deliveries d
  SET lease = $1, leased_until = now() + $2::int * interval '1 millisecond'
  FROM taken WHERE d.id = taken.id
  RETURNING d.id, d.webhook_id AS "webhookId", d.event, d.entity_id AS "entityId", d.endpoint, d.body, d.failures,
            extract(epoch FROM d.recorded_at)::float8 * 1000 AS "recordedMs"`;

export const claimDue = async (
  db: Queryable,
  { leaseMs, room, roomOf, doubtful, roomOfDoubtful, roomOfNew }: ClaimOptions,
): Promise<readonly Claimed[]> => {
  const known = [[...roomOf.keys()], [...roomOf.values()]];
  const lease = randomUUID();
  const values = [lease, leaseMs, room, ...known, doubtful, roomOfDoubtful, roomOfNew];
  const { rows } = await db.query<Row>({ name: 'claim_webhooks', text: CLAIM, values });
  return rows.map((row) => ({ ...row, lease }));
};
