import { canGoOnBehind, type EventLog, type EventMark, lacksOnlyOthers } from '#event-log';
import type { Projection, ProjectionId } from '../projection.ts';
import { type Checkpoint, type Queryable, readCheckpoint } from './checkpoint.ts';
import type { Failure } from './failure.ts';

type Log = Pick<EventLog, 'end' | 'holds' | 'readAll'>;

type Followed = Pick<Projection, 'name' | 'version' | 'filter'>;

/** The newest event that any projection of this database has taken: one that has taken none is known by it. */
const newestTaken = async (db: Queryable): Promise<EventMark | undefined> => {
  const { rows } = await db.query<{ last_event: EventMark }>(
    `SELECT last_event FROM projection_checkpoints WHERE last_event IS NOT NULL AND state <> 'retired'
     ORDER BY last_event ->> 'position' COLLATE "C" DESC LIMIT 1`,
  );
  return rows[0]?.last_event;
};

/** As of its first stop: what others take while it stands is of whatever log they have been rebuilt from. */
export const withNewest = async (db: Queryable, id: ProjectionId, failure: Failure): Promise<Failure> => {
  if (!failure.anotherLog) return failure;
  const { failure: before } = await readCheckpoint(db, id);
  const newest = before?.newest === undefined ? await newestTaken(db) : before.newest;
  return { ...failure, newest: newest ?? null };
};

/** The newest of its own log, where it has stopped beside another: as far as that is known. */
const holdsNewest = async (log: Log, db: Queryable, failure: Failure | undefined): Promise<boolean> => {
  const newest = failure?.newest === undefined ? await newestTaken(db) : failure.newest;
  return newest !== null && newest !== undefined && log.holds(newest);
};

/** It keeps a place of its own, which may lie behind the end too. One that failed begins anew. */
const isRebuilt = async (db: Queryable, { name }: ProjectionId): Promise<boolean> =>
  (await db.query("SELECT FROM projection_rebuilds WHERE name = $1 AND state <> 'failed'", [name])).rowCount !== 0;

/** Whether it may go back to the last event that it took, or to the beginning where it never took one. */
export const mayBeBroughtBack = async (
  log: Log,
  db: Queryable,
  projection: Followed,
  checkpoint: Checkpoint,
): Promise<boolean> => {
  const { last, events, failure } = checkpoint;
  if (last === undefined && events > 0) return false;
  // Of one that never took any, only what others took says whose log it is.
  if ((last === undefined || failure?.anotherLog) && !(await holdsNewest(log, db, failure))) return false;
  return !(await isRebuilt(db, projection)) && lacksOnlyOthers(log, checkpoint, projection.filter);
};

/**
 * Whether the log that it stopped beside is the one of its place by now. Where that ends says nothing, since any is as long
 * some day: what was taken has to stand there, also in Postgres, where an event that is missing is the damage of its stream
 * while nobody stopped.
 */
export const isHeldAgain = async (
  log: Log,
  db: Queryable,
  { position, last, failure }: Pick<Checkpoint, 'position' | 'last' | 'failure'>,
): Promise<boolean> => {
  if (position === undefined) return true;
  const end = await log.end();
  if (end === undefined || end < position) return false;
  if (!(await holdsNewest(log, db, failure))) return false;
  if (last !== undefined && !(await log.holds(last))) return false;
  return canGoOnBehind(log, position);
};
