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

/** What was found at one moment; undefined: nothing. `behind`: not all events have come to the rows yet. */
export type Judged<Found> = { readonly events: number; readonly behind: boolean; readonly found: Found | undefined };

/** Of what is looked at over and over. */
const createWait = () => {
  let standsStill = false;

  /** True: no projection goes on, as without a service. */
  return async (until: number): Promise<boolean> => {
    standsStill ||= performance.now() > until;
    if (!standsStill) await delay(LOOK_AGAIN_MS);
    return standsStill;
  };
};

/** Looks again while projections go on; 'behind': none has taken all that is looked for. */
export const untilTaken = async <Found>(look: () => Promise<Found | 'behind'>): Promise<Found | 'behind'> => {
  const [waitedInVain, until] = [createWait(), performance.now() + STANDSTILL_MS];
  for (;;) {
    const found = await look();
    if (found !== 'behind' || (await waitedInVain(until))) return found;
  }
};

/**
 * Judges again until it is the same twice, so that nothing is found that is merely under way. 'behind': the events are
 * there, and no projection has taken them. One that was waited for in vain is waited for no more.
 */
export const createJudgement = () => {
  const waitedInVain = createWait();

  return async <Found>(judge: () => Promise<Judged<Found>>): Promise<Found | 'behind' | undefined> => {
    const until = performance.now() + STANDSTILL_MS;
    for (let before = -1; ; ) {
      const { events, behind, found } = await judge();
      if (found === undefined || (!behind && events === before)) return found;
      if (behind && (await waitedInVain(until))) return 'behind';
      before = events;
    }
  };
};
