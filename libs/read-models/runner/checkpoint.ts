import type pg from 'pg';
import { type EventMark, type Position, parsePosition } from '#event-log';
import { OwnershipLost } from '#platform/postgres';
import { keyOf, type ProjectionId } from '../projection.ts';
import type { Failure } from './failure.ts';

export type Queryable = Pick<pg.Pool, 'query'> | Pick<pg.Client, 'query'>;

/** `retired`: a rebuild for a newer version has taken the tables. */
export type CheckpointState = 'running' | 'stopped' | 'retired';

export type Checkpoint = {
  /** Behind which it is read on. */
  readonly position: Position | undefined;
  /** How far its rows show the log, whichever that was. */
  readonly stands: Position | undefined;
  /** The last event that it took, where that is known. */
  readonly last: EventMark | undefined;
  /** Where it stands may be a place of another log: it goes by the event alone until it takes another one. */
  readonly isBehindLast: boolean;
  /** How many events it has taken up to there. */
  readonly events: number;
  readonly state: CheckpointState;
  readonly failure: Failure | undefined;
  /** How often its tables were exchanged for those of a rebuild. */
  readonly switches: number;
};

const BEGINNING: Checkpoint = {
  ...{ position: undefined, stands: undefined, last: undefined, isBehindLast: false, events: 0 },
  ...{ state: 'running', failure: undefined, switches: 0 },
};

type Row = {
  position: string | null;
  last_event: EventMark | null;
  behind_last: boolean;
  events: string;
  state: CheckpointState;
  failure: Failure | null;
  switches: number;
};

export const readCheckpoint = async (db: Queryable, { name, version }: ProjectionId): Promise<Checkpoint> => {
  const { rows } = await db.query<Row>(
    `SELECT position, last_event, behind_last, events, state, failure, switches FROM projection_checkpoints
     WHERE name = $1 AND version = $2`,
    [name, version],
  );
  const row = rows[0];
  if (!row) return BEGINNING;
  const { state, switches } = row;
  const [last, failure] = [row.last_event ?? undefined, row.failure ?? undefined];
  // A rebuild by a release of before takes the event away, and leaves the note.
  const isBehindLast = row.behind_last && (last !== undefined || row.events === '0');
  const stands = row.position === null ? undefined : parsePosition(row.position);
  const position = isBehindLast ? last?.position : stands;
  return { position, stands, last, isBehindLast, events: Number(row.events), state, failure, switches };
};

export const makeCheckpoint = async (db: Queryable, { name, version }: ProjectionId): Promise<void> => {
  await db.query('INSERT INTO projection_checkpoints (name, version) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    name,
    version,
  ]);
};

/** Where it stood, where it stands next, and how many events lie between that it took. */
export type Move = {
  readonly from: Position | undefined;
  readonly to: Position | undefined;
  readonly events: number;
  /** Of those that it took; undefined: as before. */
  readonly last?: EventMark | undefined;
  /** The furthest of those that it took before that place, once their stream was whole again. */
  readonly takenUp?: Position | undefined;
  /** Undefined: whatever tables there are. */
  readonly switches?: number | undefined;
};

/** Throws `OwnershipLost` where it does not stand at `from`. */
export type MoveCheckpoint = (db: Queryable, id: ProjectionId, move: Move) => Promise<void>;

const textOf = (last: EventMark | undefined): string | null => {
  if (!last) return null;
  const { stream, revision, position, id } = last;
  return JSON.stringify({ stream, revision, position, id });
};

/** A second fence beside the lock: it moves only from where this owner left it. */
export const moveCheckpoint: MoveCheckpoint = async (db, id, { from, to, events, last, takenUp, switches }) => {
  const { rowCount } = await db.query({
    name: 'projection-move-checkpoint',
    text: `UPDATE projection_checkpoints
      SET position = $3, events = events + $5, last_event = coalesce($7::jsonb, last_event),
        behind_last = behind_last AND $7::jsonb IS NULL
          AND NOT coalesce($8 > (last_event ->> 'position') COLLATE "C", $8 IS NOT NULL),
        state = 'running', failure = NULL, updated_at = now()
      WHERE name = $1 AND version = $2 AND position IS NOT DISTINCT FROM $4 AND state <> 'retired'
        AND ($6::integer IS NULL OR switches = $6)`,
    values: [id.name, id.version, to ?? null, from ?? null, events, switches ?? null, textOf(last), takenUp ?? null],
  });
  if (rowCount !== 1)
    throw new OwnershipLost(
      `projection ${keyOf(id)}: its checkpoint is no longer at ${from ?? 'the beginning'}, or its tables are others`,
    );
};

/**
 * Back to the event that it took last, or to the beginning where it never took one: behind that its rows show nothing.
 * False where another was taken meanwhile, or beside a rebuild, which keeps a place of its own that may lie behind the end
 * too.
 */
export const bringBack = async (db: Queryable, id: ProjectionId, from: Checkpoint): Promise<boolean> => {
  const { rowCount } = await db.query(
    `UPDATE projection_checkpoints SET position = last_event ->> 'position', behind_last = true, state = 'running',
       failure = NULL, updated_at = now()
     WHERE name = $1 AND version = $2 AND switches = $3 AND last_event ->> 'id' IS NOT DISTINCT FROM $4
       AND state <> 'retired' AND NOT EXISTS (
         SELECT FROM projection_rebuilds AS rebuild WHERE rebuild.name = $1 AND rebuild.state <> 'failed')`,
    [id.name, id.version, from.switches, from.last?.id ?? null],
  );
  return rowCount === 1;
};

/**
 * Once more, where it was brought back before and has read on since by what others wrote, in whatever log that was. So may
 * a rebuild of it, which begins anew.
 */
export const bringBackAgain = async (db: Queryable, id: ProjectionId, from: Checkpoint): Promise<void> => {
  await db.query(
    `WITH back AS (
       UPDATE projection_checkpoints SET position = last_event ->> 'position'
       WHERE name = $1 AND version = $2 AND switches = $3 AND last_event ->> 'id' IS NOT DISTINCT FROM $4 AND behind_last
         AND position IS DISTINCT FROM last_event ->> 'position'
       RETURNING name
     )
     UPDATE projection_rebuilds SET state = 'requested', position = NULL, events = 0, held = false, updated_at = now()
     WHERE state = 'filling' AND mode <> 'cancel' AND name IN (SELECT name FROM back)`,
    [id.name, id.version, from.switches, from.last?.id ?? null],
  );
};

/** The log that it stopped for the lack of is there again. False where a rebuild was first: there is nothing to end. */
export const endFailure = async (db: Queryable, id: ProjectionId, { switches }: Checkpoint): Promise<boolean> => {
  const { rowCount } = await db.query(
    `UPDATE projection_checkpoints SET state = 'running', failure = NULL, updated_at = now()
     WHERE name = $1 AND version = $2 AND state = 'stopped' AND switches = $3 AND failure ? 'anotherLog'`,
    [id.name, id.version, switches],
  );
  return rowCount === 1;
};

/**
 * A rebuild may have brought the tables past the event in the meantime: then there is nothing to stop for, and the
 * one who calls starts over from where they stand.
 */
export const recordFailure = async (db: Queryable, id: ProjectionId, failure: Failure): Promise<void> => {
  const { rowCount } = await db.query(
    `UPDATE projection_checkpoints SET state = 'stopped', failure = $3, updated_at = now()
     WHERE name = $1 AND version = $2 AND state <> 'retired' AND (position < $4) IS NOT FALSE`,
    [id.name, id.version, JSON.stringify(failure), failure.event?.position ?? null],
  );
  if (rowCount !== 1) throw new OwnershipLost(`projection ${keyOf(id)}: its tables have been rebuilt`);
};
