import { type Queryable, ROWS_AT_ONCE } from '#platform/postgres';

/** As the table of those that were let go keeps an id. */
export const hashOfId = (id: string): string => `substring(sha256(convert_to(${id}, 'UTF8')) FOR 16)`;

/**
 * What came of it stands in the log: in the history that it changed, or beside the one that it did not. What names a
 * payment stays, since operators look for deposits by their transactions; so does what was rejected, for operators.
 */
const MAY_GO = `outcome IN ('applied', 'ignored')
  AND NOT (outcome = 'applied' AND type IN ('payment.seen', 'refund.broadcast'))`;

/** Up to the first that is younger; while older ones wait for their turn, only right behind the page before. */
const NOTE = `
  WITH horizon AS MATERIALIZED (
    SELECT noted_to FROM engine_signals_horizon
    WHERE gone_to = noted_to OR noted_at > now() - interval '1 minute' FOR UPDATE SKIP LOCKED
  ),
  page AS MATERIALIZED (
    SELECT s.nr, s.taken_at < now() - $1::float8 * interval '1 day' AS is_old, ${MAY_GO} AS may_go,
           ${hashOfId('s.signal_id')} AS id_hash
    FROM horizon CROSS JOIN LATERAL (
      SELECT * FROM engine_signals WHERE nr > horizon.noted_to ORDER BY nr LIMIT ${ROWS_AT_ONCE}) AS s
  ), old AS MATERIALIZED (
    SELECT * FROM page WHERE is_old AND nr < coalesce((SELECT min(nr) FROM page WHERE NOT is_old), nr + 1)
  ), noted AS (
    INSERT INTO engine_signals_let_go (id_hash) SELECT id_hash FROM old WHERE may_go ORDER BY id_hash
    ON CONFLICT DO NOTHING
  )
  UPDATE engine_signals_horizon SET noted_to = (SELECT max(nr) FROM old), noted_at = now()
  WHERE EXISTS (SELECT FROM old) RETURNING (SELECT count(*)::int FROM old) AS looked, 0 AS gone`;

/** Longer than any call that might not have seen yet that the id was noted. */
const NOTED_FOR = '10 minutes';

const LET_GO = `
  WITH horizon AS MATERIALIZED (
    SELECT gone_to, noted_to FROM engine_signals_horizon
    WHERE gone_to < noted_to AND noted_at < now() - interval '${NOTED_FOR}' FOR UPDATE SKIP LOCKED
  ), page AS MATERIALIZED (
    SELECT s.nr FROM horizon CROSS JOIN LATERAL (
      SELECT nr FROM engine_signals WHERE nr > horizon.gone_to AND nr <= horizon.noted_to
      ORDER BY nr LIMIT ${ROWS_AT_ONCE}) AS s
  ), gone AS (
    DELETE FROM engine_signals AS s WHERE s.nr = ANY (ARRAY(SELECT nr FROM page))
      AND (SELECT true FROM engine_signals_let_go g WHERE g.id_hash = ${hashOfId('s.signal_id')} LIMIT 1)
    RETURNING s.nr
  )
  UPDATE engine_signals_horizon AS h SET gone_to =
    CASE WHEN (SELECT count(*) FROM page) < ${ROWS_AT_ONCE} THEN h.noted_to ELSE (SELECT max(nr) FROM page) END
  WHERE EXISTS (SELECT FROM horizon)
  RETURNING (SELECT count(*)::int FROM page) AS looked, (SELECT count(*)::int FROM gone) AS gone`;

type Step = { readonly looked: number; readonly gone: number };

/** Page by page, for as long as there is a whole one. */
const steps = async (
  db: Queryable,
  text: string,
  values: readonly unknown[],
  signal: AbortSignal | undefined,
): Promise<number> => {
  for (let gone = 0; ; ) {
    const { rows } = await db.query<Step>(text, [...values]);
    gone += rows[0]?.gone ?? 0;
    if ((rows[0]?.looked ?? 0) < ROWS_AT_ONCE || signal?.aborted) return gone;
  }
};

/** Lets go of old signals, and not of their ids: those are noted first, and a turn later the rows go. Returns how many. */
export const pruneSignals = async (db: Queryable, keepDays: number, signal?: AbortSignal): Promise<number> => {
  const gone = await steps(db, LET_GO, [], signal);
  if (!signal?.aborted) await steps(db, NOTE, [keepDays], signal);
  return gone;
};
