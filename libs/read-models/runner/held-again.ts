import { AnotherLog, type EventFilter, type EventLog, type EventMark, type Position } from '#event-log';
import type { ProjectionId } from '../projection.ts';
import { type Checkpoint, type Queryable, readCheckpoint } from './checkpoint.ts';
import type { Failure } from './failure.ts';

type Log = Pick<EventLog, 'end' | 'holds' | 'readAll'>;

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

/** Whoever would stand within a record of the log would be stopped again at once. */
const canGoOnBehind = async (log: Log, after: Position): Promise<boolean> => {
  try {
    for await (const _ of log.readAll({ after, limit: 1, asStored: true })) return true;
    return true;
  } catch (error) {
    if (error instanceof AnotherLog) return false;
    throw error;
  }
};

/** The newest of its own log, where it has stopped beside another: as far as that is known. */
const holdsNewest = async (log: Log, db: Queryable, failure: Failure | undefined): Promise<boolean> => {
  const newest = failure?.newest === undefined ? await newestTaken(db) : failure.newest;
  return newest !== null && newest !== undefined && log.holds(newest);
};

/** What stands behind the event that was taken last, up to where it stands, was passed over as damage, or taken since. */
const isNothingBetween = async (
  log: Log,
  filter: EventFilter | undefined,
  after: Position | undefined,
  upTo: Position,
): Promise<boolean> => {
  const behind = { ...(after !== undefined && { after }), ...(filter && { filter }) };
  for await (const { position } of log.readAll({ ...behind, limit: 1, asStored: true })) return position > upTo;
  return true;
};

/** It stands before that place, and the log has come as far as it. */
const isInside = async (log: Log, last: EventMark, upTo: Position): Promise<boolean> => {
  const end = await log.end();
  if (end === undefined || end < last.position || last.position >= upTo) return false;
  return (await log.holds(last)) && canGoOnBehind(log, last.position);
};

/**
 * Whether the log lacks of that place nothing but what the server and others wrote: it ends before it, or has other
 * records there, and holds the last event of ours that was taken, if any ever was. What comes next is written before that
 * place, so nobody may stay there.
 */
export const lacksOnlyOthers = async (
  log: Log,
  db: Queryable,
  { position, last, events, failure }: Checkpoint,
  filter: EventFilter | undefined,
): Promise<boolean> => {
  if (position === undefined || (last ? !(await isInside(log, last, position)) : events > 0)) return false;
  // Of one that never took any, only what others took says whose log it is.
  if ((last === undefined || failure?.anotherLog) && !(await holdsNewest(log, db, failure))) return false;
  return isNothingBetween(log, filter, last?.position, position);
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
