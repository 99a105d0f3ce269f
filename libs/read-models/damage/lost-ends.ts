import type { EventLog } from '#event-log';
import type { Queryable } from '#platform/postgres';

/** A stream of which rows that a rebuild replaced showed more than the log holds. */
export type LostEnd = {
  readonly stream: string;
  /** The last that was shown. */
  readonly shown: number;
  readonly hash: string | null;
  readonly foundAt: Date;
};

/**
 * Of a row of `projection_damage`: nobody has accepted that what was shown is gone. It says so of this event alone, and
 * of this time: where it came back and is found to be gone once more, that was not accepted.
 */
export const NOT_ACCEPTED = `shown_revision IS NOT NULL AND NOT EXISTS (SELECT FROM accepted_ends AS accepted
  WHERE accepted.stream = projection_damage.stream AND accepted.shown_revision = projection_damage.shown_revision
    AND accepted.shown_hash IS NOT DISTINCT FROM projection_damage.shown_hash
    AND accepted.accepted_at >= projection_damage.found_at)`;

type Wanted = {
  /** Only this one. */
  readonly stream?: string | undefined;
  readonly limit?: number;
  /** Behind so many. */
  readonly behind?: number;
};

type Row = Pick<LostEnd, 'stream' | 'hash'> & { readonly shown: string; readonly found_at: Date; readonly of: string };

/** The first found, and how many there are; none where none is found. */
export const lostEnds = async (
  db: Queryable,
  { stream, limit, behind = 0 }: Wanted = {},
): Promise<{ readonly ends: readonly LostEnd[]; readonly of: number }> => {
  const { rows } = await db.query<Row>(
    `SELECT stream, shown_revision AS shown, shown_hash AS hash, found_at, count(*) OVER () AS of
     FROM projection_damage WHERE NOT rebuild AND ${NOT_ACCEPTED} AND ($1::text IS NULL OR stream = $1)
     ORDER BY found_at, stream LIMIT $2 OFFSET $3`,
    [stream, limit, behind],
  );
  const ends = rows.map(({ shown, found_at, of: _, ...row }) => ({
    ...{ ...row, shown: Number(shown), foundAt: found_at },
  }));
  return { ends, of: Number(rows[0]?.of ?? 0) };
};

/**
 * `ended`: it is whole, and ends before what was shown. `whole`: the log holds that. `broken`: it is not as it was
 * written, or has another event there (`isAnother`), which may fit its chain.
 */
export type Standing = {
  readonly is: 'ended' | 'whole' | 'broken';
  readonly endsAt: number;
  readonly isAnother: boolean;
};

export const NOTHING_THERE = -1;

/** What the log holds of it now, whatever is remembered of it. */
export const standingOf = async (
  log: Pick<EventLog, 'readByStream'>,
  { stream, shown, hash }: Pick<LostEnd, 'stream' | 'shown' | 'hash'>,
): Promise<Standing> => {
  let endsAt = NOTHING_THERE;
  let [isBroken, isAnother] = [false, false];
  for await (const page of log.readByStream({ only: stream }))
    for (const event of page) {
      endsAt = event.revision;
      isAnother ||= event.revision === shown && hash !== null && event.hash !== hash;
      isBroken ||= event.problem !== undefined;
    }
  if (isBroken || isAnother) return { is: 'broken', endsAt, isAnother };
  return { is: endsAt < shown ? 'ended' : 'whole', endsAt, isAnother };
};
