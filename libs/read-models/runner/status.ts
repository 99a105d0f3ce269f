import type pg from 'pg';
import { AnotherLog, type EventLog, type Position, secondsBehind } from '#event-log';
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

/** How far it is behind; or why that cannot be said: its place is none of this log. */
const lagOf = async (...asked: Parameters<typeof secondsBehind>): Promise<number | AnotherLog | undefined> => {
  try {
    return await secondsBehind(...asked);
  } catch (error) {
    if (error instanceof AnotherLog) return error;
    throw error;
  }
};

const STOPPED = { state: 'stopped', caughtUp: false, lagSeconds: 0 } as const;

const standing = (
  lag: number | AnotherLog | undefined,
  { state, failure }: Pick<ProjectionStatus, 'state' | 'failure'>,
) =>
  lag instanceof AnotherLog
    ? { ...STOPPED, failure: failure ?? { reason: lag.message, at: new Date().toISOString() } }
    : { state, failure, caughtUp: lag === undefined, lagSeconds: lag ?? 0 };

/** How a projection stands, on any instance: the one that owns it or another. */
export const projectionStatus = async ({ projection, log, pool, now }: StatusOptions): Promise<ProjectionStatus> => {
  const { stands: position, state, failure } = await readCheckpoint(pool, projection);
  const head = await log.head();
  const atHead = head === undefined || (position !== undefined && position >= head);
  const behind = atHead ? undefined : await lagOf(log, { position, filter: projection.filter }, now);
  return {
    name: projection.name,
    version: projection.version,
    ...standing(behind, { state, failure }),
    position,
    head,
    damagedStreams: (await readDamage(pool, { name: projection.name, rebuild: false })).size,
  };
};
