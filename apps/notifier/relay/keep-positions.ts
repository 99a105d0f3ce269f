import type pg from 'pg';
import type { EventMark, Position, Standing } from '#event-log';
import { pause } from '#platform/pause';
import { keepRelayMark, moveRelay, type RelayPlace } from '#webhooks';

/** Behind a place that was written, so that few statements write many. */
const WRITE_EVERY_MS = 50;

/** As much at most is carried twice when a log was put back. */
const MARK_EVERY_MS = 60_000;

type Reached = { readonly position: Position; readonly last: EventMark | undefined };

/**
 * Nothing waits for a place to be written, and the newest goes for those before it: what is published again after a
 * kill has the same ids.
 */
export const keepPositions = (client: pg.Client, start: Pick<RelayPlace, 'position' | 'last'>) => {
  const ending = new AbortController();
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => undefined);
  let { last, position: stands } = start;
  let waiting: Reached | undefined;
  let writing: Promise<void> | undefined;
  let markedAt = Number.NEGATIVE_INFINITY;
  const mark = async (event: EventMark | undefined): Promise<void> => {
    if (!event || performance.now() - markedAt < MARK_EVERY_MS) return;
    await keepRelayMark(client, event);
    markedAt = performance.now();
  };
  const store = async ({ position, last: event }: Reached): Promise<void> => {
    // Whoever carries on from there is asked where that is now.
    if (!(await moveRelay(client, stands, position, event))) throw new Error('the relay was moved meanwhile');
    stands = position;
    await mark(event);
  };
  const write = async (): Promise<void> => {
    for (let next = waiting; next !== undefined; next = waiting) {
      waiting = undefined;
      await store(next).catch(reject);
      await pause(WRITE_EVERY_MS, ending.signal);
    }
    writing = undefined;
  };
  return {
    failed,
    /** Of the events, whether it was written or not. */
    last: (): EventMark | undefined => last,
    keep: (position: Position, newest: EventMark | undefined): void => {
      last = newest ?? last;
      waiting = { position, last };
      writing ??= write();
    },
    /** Gives the place that was written last, from where whoever is next goes on. */
    written: async (): Promise<Standing> => {
      ending.abort();
      await writing;
      return { position: stands, last };
    },
  };
};
