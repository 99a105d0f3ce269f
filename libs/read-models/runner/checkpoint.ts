import type pg from 'pg';
import { type Position, parsePosition } from '#event-log';
import { keyOf, type ProjectionId } from '../projection.ts';
import { OwnershipLost } from './database-errors.ts';
import type { Failure } from './failure.ts';

type Queryable = Pick<pg.Pool, 'query'> | Pick<pg.Client, 'query'>;

export type Checkpoint = {
  readonly position: Position | undefined;
  readonly state: 'running' | 'stopped';
  readonly failure: Failure | undefined;
};

const BEGINNING: Checkpoint = { position: undefined, state: 'running', failure: undefined };

type Row = { position: string | null; state: 'running' | 'stopped'; failure: Failure | null };

export const readCheckpoint = async (db: Queryable, { name, version }: ProjectionId): Promise<Checkpoint> => {
  const { rows } = await db.query<Row>(
    'SELECT position, state, failure FROM projection_checkpoints WHERE name = $1 AND version = $2',
    [name, version],
  );
  const row = rows[0];
  if (!row) return BEGINNING;
  const position = row.position === null ? undefined : parsePosition(row.position);
  return { position, state: row.state, failure: row.failure ?? undefined };
};

export const makeCheckpoint = async (db: Queryable, { name, version }: ProjectionId): Promise<void> => {
  await db.query('INSERT INTO projection_checkpoints (name, version) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    name,
    version,
  ]);
};

/** Where it stood and where it stands next. */
export type Move = { readonly from: Position | undefined; readonly to: Position };

/** A second fence beside the lock: it moves only from where this owner left it. */
export const moveCheckpoint = async (db: Queryable, id: ProjectionId, { from, to }: Move): Promise<void> => {
  const { rowCount } = await db.query({
    name: 'projection-move-checkpoint',
    text: `UPDATE projection_checkpoints SET position = $3, state = 'running', failure = NULL, updated_at = now()
      WHERE name = $1 AND version = $2 AND position IS NOT DISTINCT FROM $4`,
    values: [id.name, id.version, to, from ?? null],
  });
  if (rowCount !== 1)
    throw new OwnershipLost(`projection ${keyOf(id)}: its checkpoint is no longer at ${from ?? 'the beginning'}`);
};

export const recordFailure = async (db: Queryable, id: ProjectionId, failure: Failure): Promise<void> => {
  await db.query(
    `UPDATE projection_checkpoints SET state = 'stopped', failure = $3, updated_at = now()
     WHERE name = $1 AND version = $2`,
    [id.name, id.version, JSON.stringify(failure)],
  );
};
