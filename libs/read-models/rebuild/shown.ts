import { type EventLog, lackForGood, lackOf, type Position, parsePosition } from '#event-log';
import type { ProjectionId } from '../projection.ts';
import { type CheckpointState, type Queryable, readCheckpoint } from '../runner/checkpoint.ts';
import { isHeldAgain } from '../runner/held-again.ts';

type Log = Pick<EventLog, 'end' | 'holds' | 'misses' | 'readAll'>;

/** How far readers have seen; `lost`: in another log, or in what this one lost. */
export type Shown = Position | 'lost' | undefined;

type Row = { readonly version: number; readonly position: string | null; readonly state: CheckpointState };

/** A retired version stands nowhere beyond the one that took its tables. */
const rowsOf = async (db: Queryable, { name }: ProjectionId, lock: '' | 'FOR UPDATE'): Promise<readonly Row[]> => {
  const { rows } = await db.query<Row>(
    `SELECT version, position, state FROM projection_checkpoints WHERE name = $1 ORDER BY version ${lock}`,
    [name],
  );
  return rows.filter(({ state }) => state !== 'retired');
};

/**
 * Where owners stand that this log does not hold, which takes seconds to be sure of: asked before they are held. Nobody is
 * shown those places again, and rows that follow from the log as it is stand at a place of their own.
 */
export const lostPlaces = async (
  log: Log,
  db: Queryable,
  { name, version }: ProjectionId,
  lackIn: typeof lackForGood = lackForGood,
): Promise<readonly string[]> => {
  const lost: string[] = [];
  for (const row of await rowsOf(db, { name, version }, '')) {
    const checkpoint = await readCheckpoint(db, { name, version: row.version });
    const isHere = checkpoint.failure?.anotherLog
      ? await isHeldAgain(log, db, checkpoint)
      : (await lackIn(log, checkpoint)) === undefined;
    if ((!isHere || checkpoint.isBehindLast) && row.position !== null) lost.push(row.position);
  }
  return lost;
};

/** By one look, of what was read since those were asked for: the own log may be back for a second one. */
export const holdsOthers = async (log: Log, db: Queryable, id: ProjectionId, lost: readonly string[]) =>
  (await lostPlaces(log, db, id, lackOf)).every((position) => lost.includes(position));

export const shownPosition = async (
  db: Queryable,
  id: ProjectionId,
  lost: readonly string[],
  lock: '' | 'FOR UPDATE' = '',
): Promise<Shown> => {
  const positions = (await rowsOf(db, id, lock)).flatMap(({ position }) => position ?? []).sort();
  const last = positions.filter((position) => !lost.includes(position)).at(-1);
  if (last !== undefined) return parsePosition(last);
  return positions.length > 0 ? 'lost' : undefined;
};
