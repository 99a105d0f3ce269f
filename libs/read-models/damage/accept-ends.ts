import type pg from 'pg';
import type { EventLog } from '#event-log';
import { inTransaction, type Queryable, textArray } from '#platform/postgres';
import type { StreamRows } from '../remembered.ts';
import { type LostEnd, lostEnds, NOT_ACCEPTED, standingOf } from './lost-ends.ts';

export type AcceptedEnd = { readonly stream: string; readonly shown: number; readonly endsAt: number };

export type EndsParts = {
  readonly log: Pick<EventLog, 'readByStream'>;
  readonly pool: pg.Pool;
  readonly kinds: readonly StreamRows[];
};

/** `rebuilding`: its rows are about to be others. `ahead`: its rows still show what is gone. */
export type NotAccepted = 'broken' | 'whole' | 'ahead' | 'rebuilding';

export type Looked = {
  readonly acceptable: readonly (LostEnd & { readonly endsAt: number })[];
  readonly refused: readonly { readonly stream: string; readonly because: NotAccepted }[];
  /** That were not looked at yet. */
  readonly left: number;
};

/** Of many at once: what is left is for the next call. */
const AT_ONCE = 1_000;
const READ_AT_ONCE = 20;

const isRebuilding = async (db: Queryable): Promise<boolean> =>
  (await db.query("SELECT FROM projection_rebuilds WHERE state <> 'failed'")).rows.length > 0;

/** How far its row shows it. */
const rowOf = async ({ pool, kinds }: EndsParts, stream: string): Promise<number> => {
  for (const { prefix, table } of kinds) {
    if (!stream.startsWith(prefix)) continue;
    const { rows } = await pool.query<{ revision: string }>(`SELECT revision FROM ${table} WHERE id = $1`, [
      stream.slice(prefix.length),
    ]);
    return Number(rows[0]?.revision ?? -1);
  }
  return -1;
};

const lookAt = async (parts: EndsParts, end: LostEnd, rebuilding: boolean) => {
  const { is, endsAt } = await standingOf(parts.log, end);
  if (is !== 'ended') return { ...end, endsAt, because: is };
  const because = (await rowOf(parts, end.stream)) > endsAt ? 'ahead' : undefined;
  return { ...end, endsAt, because: rebuilding ? 'rebuilding' : because } as const;
};

type LookedAt = Awaited<ReturnType<typeof lookAt>>;

const isAcceptable = ({ because }: LookedAt): boolean => because === undefined;

/** Those that are refused do not keep it from those behind them; while a rebuild is under way all are. */
const lookOn = async (parts: EndsParts, stream: string | undefined, rebuilding: boolean) => {
  const looked: LookedAt[] = [];
  let of = 0;
  for (let more = true; more && looked.filter(isAcceptable).length < AT_ONCE; ) {
    const found = await lostEnds(parts.pool, { stream, limit: AT_ONCE, behind: looked.length });
    of = Math.max(of, found.of);
    for (let nth = 0; nth < found.ends.length; nth += READ_AT_ONCE) {
      const some = found.ends.slice(nth, nth + READ_AT_ONCE);
      looked.push(...(await Promise.all(some.map((end) => lookAt(parts, end, rebuilding)))));
    }
    more = !rebuilding && found.ends.length === AT_ONCE;
  }
  return { looked, of };
};

/** Which of them merely end before what was shown, and where. */
export const lookAtLostEnds = async (parts: EndsParts, stream?: string): Promise<Looked> => {
  const { looked, of } = await lookOn(parts, stream, await isRebuilding(parts.pool));
  const acceptable = looked.filter(isAcceptable).slice(0, AT_ONCE);
  const refused = looked.flatMap(({ stream, because }) => (because === undefined ? [] : [{ stream, because }]));
  return { acceptable, refused, left: of - acceptable.length - refused.length };
};

/**
 * The damage goes with it where the rows show all that is there; every owner looks anew at what is put aside. Where rows
 * lack something the projection takes the stream up by itself.
 */
const RELEASE = `
  WITH released AS (
    DELETE FROM projection_damage USING json_to_recordset($1) AS accepted (stream text, "endsAt" bigint)
    WHERE projection_damage.stream = accepted.stream AND NOT rebuild AND shown_revision IS NOT NULL
      AND revision = "endsAt" + 1 RETURNING name)
  UPDATE projection_checkpoints SET switches = switches + 1 WHERE name IN (SELECT name FROM released)`;

const ACCEPT = `
  INSERT INTO accepted_ends (stream, shown_revision, shown_hash, ends_at, reason)
  SELECT stream, shown, hash, "endsAt", $2
  FROM json_to_recordset($1) AS accepted (stream text, shown bigint, hash text, "endsAt" bigint)
  WHERE EXISTS (SELECT FROM projection_damage WHERE projection_damage.stream = accepted.stream
    AND shown_revision = shown AND shown_hash IS NOT DISTINCT FROM hash AND NOT rebuild AND ${NOT_ACCEPTED})
  RETURNING stream, shown_revision AS shown, ends_at`;

type Row = { readonly stream: string; readonly shown: string; readonly ends_at: string };

/** From now on these histories end where the log has them: what was shown beyond is asked for by nobody any more. */
export const acceptEnds = (
  pool: pg.Pool,
  { acceptable }: Pick<Looked, 'acceptable'>,
  reason: string,
  alongside: (db: Queryable, accepted: readonly AcceptedEnd[]) => Promise<void>,
): Promise<readonly AcceptedEnd[]> =>
  inTransaction(pool, async (db) => {
    // One at a time: whoever comes second finds nothing more of it.
    await db.query('LOCK TABLE accepted_ends IN SHARE ROW EXCLUSIVE MODE');
    const asked = JSON.stringify(
      acceptable.map(({ stream, shown, hash, endsAt }) => ({ stream, shown, hash, endsAt })),
    );
    const { rows } = await db.query<Row>(ACCEPT, [asked, reason]);
    const accepted = rows.map(({ stream, shown, ends_at }) => ({
      stream,
      shown: Number(shown),
      endsAt: Number(ends_at),
    }));
    await db.query(RELEASE, [JSON.stringify(accepted)]);
    await alongside(db, accepted);
    return accepted;
  });

/** Which of these streams went on from an earlier end, at any time. */
export const withAcceptedEnds = async (db: Queryable, streams: readonly string[]): Promise<ReadonlySet<string>> => {
  const { rows } = await db.query<{ stream: string }>(
    'SELECT DISTINCT stream FROM accepted_ends WHERE stream = ANY ($1::text[])',
    [textArray(streams)],
  );
  return new Set(rows.map(({ stream }) => stream));
};
