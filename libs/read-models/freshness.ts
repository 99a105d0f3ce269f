import type pg from 'pg';
import type { EventLog, Position } from '#event-log';
import type { ProjectionId } from './projection.ts';
import { waitForPosition } from './waiting/wait-for-position.ts';

/** An answer waits for the rows, but not for ever: past it a read by id folds the stream. */
const VISIBLE_WITHIN_MS = 3_000;

export type Freshness = {
  readonly untilVisible: (position: Position, withinMs?: number) => Promise<boolean>;
  /** True when the rows show everything that was written before the call, false at the bound. */
  readonly isUpToDate: () => Promise<boolean>;
};

type Parts = {
  /** One that takes every event of the log. */
  readonly projection: ProjectionId;
  readonly log: Pick<EventLog, 'head'>;
  readonly pool: pg.Pool;
  readonly patienceMs: number;
};

const later = (one: Position | undefined, other: Position | undefined): Position | undefined =>
  one === undefined || (other !== undefined && other > one) ? other : one;

export const createFreshness = ({ projection, log, pool, patienceMs }: Parts): Freshness => {
  /** A running transaction may hide an event from the log's head for a while after its append was answered. */
  let written: Position | undefined;
  const untilVisible = (position: Position, withinMs = VISIBLE_WITHIN_MS): Promise<boolean> => {
    written = later(written, position);
    return waitForPosition({ ...projection, pool, position, withinMs });
  };
  return {
    untilVisible,
    isUpToDate: async () => {
      const position = later(await log.head(), written);
      return position === undefined || untilVisible(position, patienceMs);
    },
  };
};
