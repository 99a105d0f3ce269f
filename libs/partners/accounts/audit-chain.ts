import type { Queryable } from '#platform/postgres';

export type AuditBreak = { readonly id: number; readonly problem: string };

const MOST = 100;

/**
 * As the trigger hashes it (`audit_trail_hash`), by nothing but Postgres' own: whoever may rewrite the trail may replace
 * functions of its schema, too.
 */
const HASH = `
  pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(pg_catalog.jsonb_build_array(
    place, previous_hash, pg_catalog.to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    actor, action, subject, subject_id, before, after
  )::text, 'UTF8')), 'hex')`;

const BREAKS = `
  SELECT id, problem FROM (
    SELECT id, CASE
      WHEN hash IS DISTINCT FROM ${HASH} THEN 'its content was changed after it was written'
      WHEN place <> coalesce(pg_catalog.lag(place) OVER chain, 0) + 1 THEN 'the entry before it is missing'
      WHEN previous_hash IS DISTINCT FROM pg_catalog.lag(hash) OVER chain THEN 'it does not follow the entry before it'
    END AS problem
    FROM audit_trail WHERE place IS NOT NULL WINDOW chain AS (ORDER BY place)
    UNION ALL
    SELECT id, 'it was added beside the chain' FROM audit_trail
    WHERE place IS NULL AND id > (SELECT min(id) FROM audit_trail WHERE place IS NOT NULL)
  ) found WHERE problem IS NOT NULL ORDER BY id LIMIT ${MOST}`;

/** Where the audit trail is not as it was written; what was cut off at its end is not seen by this. */
export const auditTrailBreaks = async (db: Queryable): Promise<readonly AuditBreak[]> =>
  (await db.query<AuditBreak>(BREAKS)).rows;

/** An entry of the chain by its place: whoever knows its hash knows all that the trail was up to it. */
export type AuditPlace = { readonly place: number; readonly hash: string };

/** Whether anything of these subjects was changed behind this place; entries of before there were places stand before all. */
export const isAuditedBehind = async (db: Queryable, place: number, subjects: readonly string[]): Promise<boolean> => {
  const text = 'SELECT FROM audit_trail WHERE place > $1 AND subject = ANY($2) LIMIT 1';
  return (await db.query(text, [place, subjects])).rowCount === 1;
};

/** The last that has a place up to this one, or of all. */
export const auditTrailEnd = async (db: Queryable, upTo = Number.MAX_SAFE_INTEGER): Promise<AuditPlace | undefined> => {
  const { rows } = await db.query<{ place: string | number; hash: string }>(
    'SELECT place, hash FROM audit_trail WHERE place <= $1 ORDER BY place DESC LIMIT 1',
    [upTo],
  );
  return rows[0] && { ...rows[0], place: Number(rows[0].place) };
};
