import { type EventMark, type Position, parsePosition, type Standing } from '#event-log';
import type { Queryable } from '#platform/postgres';
import { DEPOSIT_EVENTS } from './message.ts';

/** Of the one who carries at a time. */
export const RELAY = 'webhook relay';

export type RelayPlace = Standing & {
  /** How far it has read the log, whichever that was. */
  readonly stands: Position | undefined;
  /** Where it stands may be a place of another log: it goes by the event alone until it carries one that is further. */
  readonly isBehindLast: boolean;
  /** Where the furthest event stands that it had carried before it was brought back; what comes up to there is no news. */
  readonly carriedTo: Position | undefined;
  /** Why it carries nothing on; undefined where it does. */
  readonly stopped: string | undefined;
};

type Row = {
  position: string | null;
  last_event: EventMark | null;
  behind_last: boolean;
  carried_to: string | null;
  stopped_because: string | null;
};

const NOWHERE: Row = {
  ...{ position: null, last_event: null, behind_last: false },
  ...{ carried_to: null, stopped_because: null },
};

const placeOf = (text: string | null): Position | undefined => (text === null ? undefined : parsePosition(text));

/** Locked it is as whoever moves it leaves it. */
export const readRelay = async (db: Queryable, lock: '' | 'FOR UPDATE' = ''): Promise<RelayPlace> => {
  const { rows } = await db.query<Row>(
    `SELECT position, last_event, behind_last, carried_to, stopped_because FROM webhook_relay WHERE name = $1 ${lock}`,
    [DEPOSIT_EVENTS],
  );
  const row = rows[0] ?? NOWHERE;
  const [last, stands] = [row.last_event ?? undefined, placeOf(row.position)];
  const isBehindLast = row.behind_last && last !== undefined;
  const position = isBehindLast ? last?.position : stands;
  const [carriedTo, stopped] = [placeOf(row.carried_to), row.stopped_because ?? undefined];
  return { position, stands, last, isBehindLast, carriedTo, stopped };
};

/** It carried nothing of ours and met another log: where that ends says nothing, since any is as long some day. */
export const mayBeOfAnotherLog = ({ stopped, last }: RelayPlace): boolean =>
  stopped !== undefined && last === undefined;

export const readRelayPosition = async (db: Queryable): Promise<Position | undefined> => (await readRelay(db)).stands;

const textOf = ({ stream, revision, position, id }: EventMark): string =>
  JSON.stringify({ stream, revision, position, id });

const FROM_NOWHERE = `
  INSERT INTO webhook_relay AS known (name, position, last_event) VALUES ($1, $2, $3)
  ON CONFLICT (name) DO UPDATE SET position = excluded.position,
    last_event = coalesce(excluded.last_event, known.last_event),
    behind_last = coalesce(excluded.last_event ->> 'position' <= known.carried_to, false),
    stopped_because = NULL, stopped_at = NULL
  WHERE known.position IS NULL`;

/** What it carries again, up to where it was brought back from, tells no more of its place than what it carried last. */
const FROM_THERE = `
  UPDATE webhook_relay SET position = $2, last_event = coalesce($3, last_event),
    behind_last = coalesce(coalesce($3::jsonb, last_event) ->> 'position' <= carried_to,
      behind_last AND coalesce($3::jsonb ->> 'id' = last_event ->> 'id', true)),
    carried_to = CASE WHEN $3::jsonb ->> 'position' > carried_to THEN NULL ELSE carried_to END,
    stopped_because = NULL, stopped_at = NULL
  WHERE name = $1 AND position = $4`;

/**
 * After the publication, never before it: what is repeated has the same ids, what is left out is lost. False where it stands
 * no more at `from`, and nothing is written: somebody has moved it, to have something carried again, or it was forgotten.
 */
export const moveRelay = async (
  db: Queryable,
  from: Position | undefined,
  to: Position,
  last?: EventMark,
): Promise<boolean> => {
  const given = [DEPOSIT_EVENTS, to, last ? textOf(last) : null];
  const { rowCount } = await (from === undefined
    ? db.query(FROM_NOWHERE, given)
    : db.query(FROM_THERE, [...given, from]));
  return rowCount === 1;
};

/**
 * Back to the event that was carried last, behind which nothing was. Once brought back it is so each time that its place has
 * moved by what others wrote. False where another was carried meanwhile.
 */
export const bringRelayBack = async (db: Queryable, { id }: EventMark): Promise<boolean> => {
  const { rowCount } = await db.query(
    `UPDATE webhook_relay SET position = last_event ->> 'position', behind_last = true,
       carried_to = greatest(carried_to, last_event ->> 'position')
     WHERE name = $1 AND last_event ->> 'id' = $2`,
    [DEPOSIT_EVENTS, id],
  );
  return rowCount === 1;
};

/** From any mark that is older than all of these a log that was put back is carried from its beginning. */
const KEPT_DAYS = 30;

/** Of what was carried, for whoever has to find later how far two logs are one. */
export const keepRelayMark = async (db: Queryable, mark: EventMark): Promise<void> => {
  await db.query('INSERT INTO webhook_relay_marks (position, event) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    mark.position,
    textOf(mark),
  ]);
  // The newest of those that are older stays: what came between it and the next is carried again from there.
  await db.query(
    `DELETE FROM webhook_relay_marks WHERE position < (
       SELECT max(position) FROM webhook_relay_marks WHERE kept_at < now() - make_interval(days => $1))`,
    [KEPT_DAYS],
  );
};

/** Says whether it is news. Whoever has moved it meanwhile has it go on. */
export const stopRelay = async (db: Queryable, { position }: Standing, because: string): Promise<boolean> => {
  const { rowCount } = await db.query(
    `UPDATE webhook_relay SET stopped_because = $2, stopped_at = now()
     WHERE name = $1 AND position = $3 AND stopped_because IS NULL`,
    [DEPOSIT_EVENTS, because, position ?? null],
  );
  return rowCount === 1;
};

/** The log that it belongs to is there again: since when it stood; undefined where somebody else has it go on. */
export const unstopRelay = async (db: Queryable): Promise<Date | undefined> => {
  const { rows } = await db.query<{ since: Date }>(
    `WITH stood AS (
       SELECT stopped_at FROM webhook_relay WHERE name = $1 AND stopped_because IS NOT NULL FOR UPDATE
     )
     UPDATE webhook_relay SET stopped_because = NULL, stopped_at = NULL FROM stood
     WHERE name = $1 RETURNING stood.stopped_at AS since`,
    [DEPOSIT_EVENTS],
  );
  return rows[0]?.since;
};

/** Nothing was carried, whatever log comes next. */
export const forgetRelay = async (db: Queryable): Promise<void> => {
  await db.query('DELETE FROM webhook_relay WHERE name = $1', [DEPOSIT_EVENTS]);
  await db.query('DELETE FROM webhook_relay_marks');
};
