import type pg from 'pg';
import { type EventLog, type Position, secondsBehind } from '#event-log';
import { readDamage } from '../damage/damage.ts';
import type { Projection } from '../projection.ts';
import { type CheckpointState, readCheckpoint } from './checkpoint.ts';
import type { Failure } from './failure.ts';

export type ProjectionStatus = {
  readonly name: string;
  readonly version: number;
  readonly state: CheckpointState;
  /** Why it stands, while it is stopped. */
  readonly failure: Failure | undefined;
  readonly position: Position | undefined;
  /** The log's last position. */
  readonly head: Position | undefined;
  /** Nothing that the projection takes lies before it. */
  readonly caughtUp: boolean;
  /** Streams that it takes nothing more of. */
  readonly damagedStreams: number;
  /** Age of the oldest event not projected yet; 0 when caught up. */
  readonly lagSeconds: number;
};

export type StatusOptions = {
  readonly projection: Pick<Projection, 'name' | 'version' | 'filter'>;
  readonly log: Pick<EventLog, 'head' | 'readAll'>;
  readonly pool: pg.Pool;
  /** Default: the clock of this machine. */
  readonly now?: () => Date;
};

/** How a projection stands, on any instance: the one that owns it or another. */
export const projectionStatus = async ({ projection, log, pool, now }: StatusOptions): Promise<ProjectionStatus> => {
  const { position, state, failure } = await readCheckpoint(pool, projection);
  const head = await log.head();
  const atHead = head === undefined || (position !== undefined && position >= head);
  const behind = atHead ? undefined : await secondsBehind(log, { position, filter: projection.filter }, now);
  return {
    name: projection.name,
    version: projection.version,
    state,
    failure,
    position,
    head,
    caughtUp: behind === undefined,
    lagSeconds: behind ?? 0,
    damagedStreams: (await readDamage(pool, { name: projection.name, rebuild: false })).size,
  };
};
