import type pg from 'pg';
import type { EventLog, Position } from '#event-log';
import { readErrors } from '#platform/errors';
import { waitForPosition } from '../waiting/wait-for-position.ts';
import { depositsProjection } from './projection.ts';

/** An answer waits for the rows, but not for ever: past it a read of one deposit folds its stream. */
const VISIBLE_WITHIN_MS = 3_000;

export type Freshness = {
  readonly untilVisible: (position: Position, withinMs?: number) => Promise<boolean>;
  /** Resolves when the rows show everything that was written before the call; refuses with 503 past the bound. */
  readonly upToDate: () => Promise<void>;
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
    upToDate: async () => {
      const position = later(await log.head(), written);
      if (position !== undefined && !(await untilVisible(position, patienceMs))) throw readErrors.listBehind();
    },
  };
};
