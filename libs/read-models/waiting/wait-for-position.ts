import type pg from 'pg';
import type { Position } from '#event-log';
import { keyOf, type ProjectionId } from '../projection.ts';
import { hubOf } from './hub.ts';

export type Wait = ProjectionId & {
  /** Give the pool that the runner got, where both are in one process: then nothing is asked of the database. */
  readonly pool: pg.Pool;
  readonly position: Position;
  readonly withinMs: number;
};

/**
 * True as soon as the projection's rows show the position, on whatever instance it runs; false at the bound, never
 * later and never an error: then fold the stream instead. However many wait, they share one connection and one query.
 */
export const waitForPosition = ({ pool, position, withinMs, ...id }: Wait): Promise<boolean> =>
  hubOf(pool).wait(keyOf(id), position, withinMs);

/** Before the pool is ended: closes the connection that listens for those who wait on it. */
export const stopWaiting = (pool: pg.Pool): Promise<void> => hubOf(pool).close();
