import type pg from 'pg';
import type { EventLog, Position } from '#event-log';
import { together } from '#platform/together';
import type { ProjectionId } from './projection.ts';
import { waitForPosition } from './waiting/wait-for-position.ts';

/** Whoever shows a row waits for it, but not for ever. */
const VISIBLE_WITHIN_MS = 3_000;

const PATIENCE_MS = 5_000;

/** A list shows all that was written before it was asked for; one that cannot shows nothing. */
export type Listed<List> = { readonly outcome: 'listed'; readonly list: List } | { readonly outcome: 'behind' };

export type Freshness = {
  readonly untilVisible: (position: Position, withinMs?: number) => Promise<boolean>;
  /** True when the rows show everything that was written before the call, false at the bound. */
  readonly isUpToDate: (withinMs?: number) => Promise<boolean>;
  /** `stale`: the rows as they are, for whoever would rather see what is old than nothing. */
  readonly fresh: <List>(list: () => Promise<List>, stale?: boolean) => Promise<Listed<List>>;
  /** When the rows were written last; undefined before the first. */
  readonly movedAt: () => Promise<Date | undefined>;
};

/** What reading a list needs. */
export type FreshnessParts = {
  readonly log: Pick<EventLog, 'newest'>;
  /** The one that the projection's runner got, where both are in one process. */
  readonly pool: pg.Pool;
  /** How long a list waits for the rows to be up to date; default 5 s. */
  readonly patienceMs?: number | undefined;
};

type Parts = FreshnessParts & {
  /** One that takes every event of the log. */
  readonly projection: ProjectionId;
};

const STOPPED = "SELECT FROM projection_checkpoints WHERE name = $1 AND version = $2 AND state = 'stopped'";
const MOVED = 'SELECT updated_at AS at FROM projection_checkpoints WHERE name = $1 AND version = $2';

export const createFreshness = ({ projection, log, pool, patienceMs = PATIENCE_MS }: Parts): Freshness => {
  const { name, version } = projection;
  const untilVisible = (position: Position, withinMs = VISIBLE_WITHIN_MS): Promise<boolean> =>
    waitForPosition({ ...projection, pool, position, withinMs });
  /** Asked after whoever asks came: one answer is good for all who wait for it. */
  const newest = together(async (asked: readonly undefined[]) => {
    const position = await log.newest();
    return asked.map(() => position);
  });
  /** Beside a log that was emptied: nothing of what its rows show is there. */
  const hasStopped = async (): Promise<boolean> => (await pool.query(STOPPED, [name, version])).rowCount === 1;
  const isUpToDate = async (withinMs = patienceMs): Promise<boolean> => {
    const position = await newest(undefined);
    return position === undefined ? !(await hasStopped()) : untilVisible(position, withinMs);
  };
  return {
    untilVisible,
    isUpToDate,
    fresh: async (list, stale = false) =>
      stale || (await isUpToDate()) ? { outcome: 'listed', list: await list() } : { outcome: 'behind' },
    movedAt: async () => {
      const { rows } = await pool.query<{ at: Date }>(MOVED, [name, version]);
      return rows[0]?.at;
    },
  };
};
