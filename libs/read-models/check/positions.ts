import type { EventMark, Position } from '#event-log';
import type { Queryable } from '#platform/postgres';
import type { TabledProjection } from '../rebuild/rebuild.ts';
import { readCheckpoint } from '../runner/checkpoint.ts';

/** How far the rows of each table show the log. */
export const tablePositions = async (
  db: Queryable,
  projections: readonly TabledProjection[],
): Promise<ReadonlyMap<string, Position | undefined>> => {
  const positions = new Map<string, Position | undefined>();
  for (const { projection, tables } of projections) {
    const { stands } = await readCheckpoint(db, projection);
    for (const table of tables) positions.set(table, stands);
  }
  return positions;
};

type Standing = { readonly name: string; readonly position: Position | null; readonly last: EventMark | null };

/** Where every projection that serves stands, by what the database says alone. */
export const readPositions = async (db: Queryable): Promise<readonly Standing[]> => {
  const { rows } = await db.query<Standing>(
    "SELECT name, position, last_event AS last FROM projection_checkpoints WHERE state <> 'retired' ORDER BY name",
  );
  return rows;
};
