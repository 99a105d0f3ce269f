import { randomUUID } from 'node:crypto';
import type { Queryable } from '#platform/postgres';
import type { Room } from './room.ts';
import type { Kind } from './standings.ts';

/** A delivery that this scheduler has, until its lease ends. */
export type Claimed = {
  readonly id: number;
  readonly webhookId: string;
  readonly event: string;
  /** Null: of the older interface, and for the affiliate. */
  readonly entityId: number | null;
  readonly affiliateId: number | null;
  readonly endpoint: string;
  /** The affiliate whose endpoint it is; nought for all that were made before that was written down. */
  readonly owner: number;
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

export type ClaimOptions = Room & {
  /** Of the scheduler that claims; one that is taken for dead claims nothing. */
  readonly life: string;
  /** Longer than the time limit of an attempt, so that two attempts of one delivery never overlap. */
  readonly leaseMs: number;
};

const IS_DUE_AT = (endpoint: string): string =>
  `u.due_at IS NOT NULL AND u.endpoint = ${endpoint} AND u.due_at <= now()
   AND (u.lease IS NULL OR u.leased_until <= now())`;

/** With a limit of its own, so that it is looked up endpoint by endpoint in every plan. */
const ONE_DUE_AT = (endpoint: string): string =>
  `SELECT coalesce(u.owner, 0) AS owner FROM webhooks_undelivered u WHERE ${IS_DUE_AT(endpoint)} LIMIT 1`;

/**
 * Steps from endpoint to endpoint in the index of what is pending, and takes of each, in a random order, what is due as
 * far as there is room for it and for its affiliate. So the cost goes by the endpoints that wait for something, not by how
 * much waits at each, and none stands behind another's backlog, no affiliate behind another's many endpoints. What another
 * scheduler is taking at this moment is passed over.
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
  living AS MATERIALIZED (SELECT FROM webhook_lives WHERE life = $4 FOR KEY SHARE),
  known AS (SELECT * FROM unnest($5::text[], $6::bigint[], $7::int[], $8::boolean[]) AS one (endpoint, owner, ahead, once)),
  part AS (SELECT * FROM unnest($9::bigint[], $10::text[], $11::int[]) AS one (owner, kind, most)),
  wanted AS (
    SELECT step.endpoint, known.owner, 'quick' AS kind, known.ahead AS room
    -- One of which nothing is due would use up the part of its affiliate for nothing.
    FROM step JOIN known USING (endpoint) CROSS JOIN LATERAL (${ONE_DUE_AT('step.endpoint')}) AS due WHERE known.ahead > 0
    UNION ALL
    SELECT step.endpoint, due.owner, 'doubtful', 1
    FROM step JOIN known USING (endpoint) CROSS JOIN LATERAL (${ONE_DUE_AT('step.endpoint')}) AS due WHERE known.once
    UNION ALL
    SELECT step.endpoint, due.owner, 'fresh', 1
    FROM step CROSS JOIN LATERAL (${ONE_DUE_AT('step.endpoint')}) AS due WHERE step.endpoint <> ALL ($5::text[])
  ),
  ranked AS (
    SELECT *, sum(room) OVER (PARTITION BY owner, kind ORDER BY random() ROWS UNBOUNDED PRECEDING) - room AS before
    FROM wanted
  ),
  turn AS (
    SELECT ranked.endpoint, ranked.before, least(ranked.room, coalesce(part.most, other.most) - ranked.before) AS room
    FROM ranked JOIN part AS other ON other.owner IS NULL AND other.kind = ranked.kind
    LEFT JOIN part ON part.owner = ranked.owner AND part.kind = ranked.kind
    WHERE ranked.before < coalesce(part.most, other.most)
  ),
  taken AS MATERIALIZED (
    SELECT due.place
    -- The first endpoint of each affiliate comes before the second of any.
    FROM (SELECT endpoint, room FROM turn ORDER BY before, random()) AS shuffled
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
      life = $4
    -- By their places, which cannot change while they are locked.
    FROM taken WHERE u.ctid = taken.place
    RETURNING u.delivery_id, u.failures, coalesce(u.owner, 0) AS owner
  )
  SELECT d.*, claimed.failures, claimed.owner
  FROM claimed CROSS JOIN LATERAL (
    SELECT d.id, d.webhook_id AS "webhookId", d.event, d.entity_id AS "entityId", d.affiliate_id AS "affiliateId",
           d.endpoint, d.url,
           extract(epoch FROM d.recorded_at)::float8 * 1000 AS "recordedMs", b.body
    FROM webhook_deliveries d LEFT JOIN webhook_bodies b ON b.delivery_id = d.id
    WHERE d.id = claimed.delivery_id LIMIT 1
  ) AS d`;

const knownColumns = ({ known }: Room): readonly unknown[] => {
  const [endpoints, rooms] = [[...known.keys()], [...known.values()]];
  const ofEach = [rooms.map(({ owner }) => owner), rooms.map(({ ahead }) => ahead), rooms.map(({ once }) => once)];
  return [endpoints, ...ofEach];
};

const KINDS: readonly Kind[] = ['quick', 'fresh', 'doubtful'];

const partColumns = ({ parts, partOfOthers }: Room): readonly unknown[] => {
  const rows = [...parts, [null, partOfOthers] as const].flatMap(([owner, part]) =>
    KINDS.map((kind) => ({ owner, kind, most: part[kind] })),
  );
  return [rows.map(({ owner }) => owner), rows.map(({ kind }) => kind), rows.map(({ most }) => most)];
};

export const claimDue = async (
  db: Queryable,
  { life, leaseMs, ...room }: ClaimOptions,
): Promise<readonly Claimed[]> => {
  const lease = randomUUID();
  // From before the question: the server's lease begins later than this.
  const startBy = performance.now() + leaseMs / 2;
  const values = [lease, leaseMs, room.room, life, ...knownColumns(room), ...partColumns(room)];
  // Planned anew each time, by how much is waiting now: a plan of a quiet hour would read every row of a backlog.
  const { rows } = await db.query<Row>(CLAIM, values);
  return rows.map((row) => ({ ...row, lease, startBy }));
};
