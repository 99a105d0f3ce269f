import type pg from 'pg';
import { type Position, parsePosition } from '#event-log';
import { OwnershipLost } from '#platform/postgres';
import { keyOf, type ProjectionId } from '../projection.ts';
import type { MoveCheckpoint, Queryable } from '../runner/checkpoint.ts';
import type { Failure } from '../runner/failure.ts';
import type { RebuildMode } from './modes.ts';

/** How far a rebuild has come: the last position that stands in its tables, and how many events lie before it. */
export type Place = { readonly position: Position | undefined; readonly events: number };

export const BEGINNING: Place = { position: undefined, events: 0 };

export type RebuildRow = Place & {
  readonly name: string;
  readonly version: number;
  readonly state: 'requested' | 'filling' | 'failed';
  readonly mode: RebuildMode | 'cancel';
  /** Compared, and waiting for an operator. */
  readonly held: boolean;
  /** It names this one among all of its projection. */
  readonly requestedAt: string;
  readonly failure: Failure | undefined;
};

type Row = Pick<RebuildRow, 'name' | 'version' | 'state' | 'mode' | 'held'> & {
  position: string | null;
  events: string;
  failure: Failure | null;
  requested_at: Date;
};

export const readRebuilds = async (db: Queryable): Promise<readonly RebuildRow[]> => {
  const { rows } = await db.query<Row>(
    'SELECT name, version, state, mode, held, position, events, failure, requested_at FROM projection_rebuilds ORDER BY name',
  );
  return rows.map(({ position, events, failure, requested_at, ...row }) => ({
    ...row,
    position: position === null ? undefined : parsePosition(position),
    events: Number(events),
    failure: failure ?? undefined,
    requestedAt: requested_at.toISOString(),
  }));
};

/**
 * False while one of that name is running, on any instance. One that failed may be asked for again: by an operator at
 * any time, by an instance that only found its version new, never for the same version, or it would fail for ever.
 */
export const requestRebuild = async (
  db: Queryable,
  { name, version }: ProjectionId,
  { again, mode = 'switch' }: { readonly again: boolean; readonly mode?: RebuildMode },
): Promise<boolean> => {
  const { rowCount } = await db.query(
    `INSERT INTO projection_rebuilds AS known (name, version, mode) VALUES ($1, $2, $4)
     ON CONFLICT (name) DO UPDATE
       SET version = $2, mode = $4, held = false, state = 'requested', position = NULL, events = 0, failure = NULL,
           requested_at = now(), updated_at = now()
       WHERE known.state = 'failed' AND ($3 OR known.version < $2)`,
    [name, version, again, mode],
  );
  return rowCount === 1;
};

export const markFilling = async (client: pg.Client, { name, version }: ProjectionId): Promise<void> => {
  await client.query(
    `UPDATE projection_rebuilds SET version = $2, state = 'filling', position = NULL, events = 0, updated_at = now()
     WHERE name = $1`,
    [name, version],
  );
};

/** The fence of the rebuild's own checkpoint. */
export const moveRebuild: MoveCheckpoint = async (db, id, { from, to, events }) => {
  const { rowCount } = await db.query({
    name: 'projection-move-rebuild',
    text: `UPDATE projection_rebuilds SET position = $3, events = events + $5, updated_at = now()
      WHERE name = $1 AND version = $2 AND state = 'filling' AND mode <> 'cancel'
        AND position IS NOT DISTINCT FROM $4`,
    values: [id.name, id.version, to ?? null, from ?? null, events],
  });
  if (rowCount !== 1) throw new OwnershipLost(`the rebuild of ${keyOf(id)} is no longer at ${from ?? 'the beginning'}`);
};

/** Whoever looks next makes its tables once more, as the live ones are then. */
export const beginRebuildAnew = async (client: pg.Client, { name, version }: ProjectionId): Promise<void> => {
  await client.query(
    `UPDATE projection_rebuilds SET state = 'requested', position = NULL, events = 0, updated_at = now()
     WHERE name = $1 AND version = $2 AND state = 'filling'`,
    [name, version],
  );
};

/** Takes the row away, if the rebuild still stands where its owner left it. */
export const finishRebuild = async (
  client: pg.Client,
  id: ProjectionId,
  position: Position | undefined,
  mode: RebuildMode,
): Promise<void> => {
  const { rowCount } = await client.query(
    `DELETE FROM projection_rebuilds
     WHERE name = $1 AND version = $2 AND state = 'filling' AND mode = $4 AND position IS NOT DISTINCT FROM $3`,
    [id.name, id.version, position ?? null, mode],
  );
  if (rowCount !== 1) throw new OwnershipLost(`the rebuild of ${keyOf(id)} is no longer at ${position ?? 'the start'}`);
};

/** Its tables stay beside the live ones, as they are, until an operator says what becomes of them. */
export const holdRebuild = async (
  client: pg.Client,
  id: ProjectionId,
  position: Position | undefined,
): Promise<void> => {
  const { rowCount } = await client.query(
    `UPDATE projection_rebuilds SET held = true, updated_at = now()
     WHERE name = $1 AND version = $2 AND state = 'filling' AND mode = 'hold' AND position IS NOT DISTINCT FROM $3`,
    [id.name, id.version, position ?? null],
  );
  if (rowCount !== 1) throw new OwnershipLost(`the rebuild of ${keyOf(id)} is no longer at ${position ?? 'the start'}`);
};

export const forgetCancelled = async (client: pg.Client, { name }: ProjectionId): Promise<void> => {
  await client.query(`DELETE FROM projection_rebuilds WHERE name = $1 AND mode = 'cancel'`, [name]);
};

export const markFailed = async (client: pg.Client, { name }: ProjectionId, failure: Failure): Promise<void> => {
  await client.query(
    `UPDATE projection_rebuilds SET state = 'failed', failure = $2, updated_at = now() WHERE name = $1`,
    [name, JSON.stringify(failure)],
  );
};
