import type pg from 'pg';
import type { EventLog, Position } from '#event-log';
import { together } from '#platform/together';
import type { ProjectionId } from './projection.ts';
import { waitForPosition } from './waiting/wait-for-position.ts';

/** Whoever shows a row waits for it, but not for ever. */
const VISIBLE_WITHIN_MS = 3_000;

export type Freshness = {
  readonly untilVisible: (position: Position, withinMs?: number) => Promise<boolean>;
  /** True when the rows show everything that was written before the call, false at the bound. */
  readonly isUpToDate: () => Promise<boolean>;
  /** When the rows were written last; undefined before the first. */
  readonly movedAt: () => Promise<Date | undefined>;
};

type Parts = {
  /** One that takes every event of the log. */
  readonly projection: ProjectionId;
  readonly log: Pick<EventLog, 'newest'>;
  readonly pool: pg.Pool;
  readonly patienceMs: number;
};

const MOVED = 'SELECT updated_at AS at FROM projection_checkpoints WHERE name = $1 AND version = $2';

export const createFreshness = ({ projection, log, pool, patienceMs }: Parts): Freshness => {
  const untilVisible = (position: Position, withinMs = VISIBLE_WITHIN_MS): Promise<boolean> =>
    waitForPosition({ ...projection, pool, position, withinMs });
  /** Asked after whoever asks came: one answer is good for all who wait for it. */
  const newest = together(async (asked: readonly undefined[]) => {
    const position = await log.newest();
    return asked.map(() => position);
  });
  return {
    untilVisible,
    isUpToDate: async () => {
      const position = await newest(undefined);
      return position === undefined || untilVisible(position, patienceMs);
    },
    movedAt: async () => {
      const { name, version } = projection;
      const { rows } = await pool.query<{ at: Date }>(MOVED, [name, version]);
      return rows[0]?.at;
    },
  };
};
