import type pg from 'pg';
import type { EventLog, Position } from '#event-log';
import { waitForPosition } from '../waiting/wait-for-position.ts';
import { depositsProjection } from './projection.ts';

/** An answer waits for the rows, but not for ever: past it a read of one deposit folds its stream. */
const VISIBLE_WITHIN_MS = 3_000;

export type Freshness = {
  readonly untilVisible: (position: Position, withinMs?: number) => Promise<boolean>;
  /** True when the rows show everything that was written before the call, false at the bound. */
  readonly isUpToDate: () => Promise<boolean>;
};

type Parts = { readonly log: Pick<EventLog, 'head'>; readonly pool: pg.Pool; readonly patienceMs: number };

const later = (one: Position | undefined, other: Position | undefined): Position | undefined =>
  one === undefined || (other !== undefined && other > one) ? other : one;

export const createFreshness = ({ log, pool, patienceMs }: Parts): Freshness => {
  /** A running transaction may hide an event from the log's head for a while after its append was answered. */
  let written: Position | undefined;
  const untilVisible = (position: Position, withinMs = VISIBLE_WITHIN_MS): Promise<boolean> => {
    written = later(written, position);
    return waitForPosition({ ...depositsProjection, pool, position, withinMs });
  };
  return {
    untilVisible,
    isUpToDate: async () => {
      const position = later(await log.head(), written);
      return position === undefined || untilVisible(position, patienceMs);
    },
  };
};
