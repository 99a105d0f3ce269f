import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Position } from '#event-log';
import { type TabledProjection, tablePositions } from '#read-models';

type Parts = { readonly pool: pg.Pool; readonly projections: readonly TabledProjection[] };

/** Whether one of these tables does not show all of a stream yet that ends at `last`. */
export const isBehind = async (
  { pool, projections }: Parts,
  tables: readonly string[],
  last: Position | undefined,
): Promise<boolean> => {
  const positions = await tablePositions(pool, projections);
  return tables.some((table) => {
    const position = positions.get(table);
    return last !== undefined && (position === undefined || position < last);
  });
};

const LOOK_AGAIN_MS = 100;
/** Without a service that brings the rows up to date they stay where they are. */
const STANDSTILL_MS = 3_000;

/** Since when one waits for projections; true: in vain, as without a service, and nothing is waited for again. */
export const createPatience = () => {
  let standsStill = false;
  return () => {
    const until = performance.now() + STANDSTILL_MS;
    return async (): Promise<boolean> => {
      standsStill ||= performance.now() > until;
      if (!standsStill) await delay(LOOK_AGAIN_MS);
      return standsStill;
    };
  };
};
