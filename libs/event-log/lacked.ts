import { LRUCache } from 'lru-cache';
import { pause } from '#platform/pause';
import type { EventMark } from './port.ts';
import type { Position } from './position.ts';
import { type EventStore, SeenElsewhere } from './store.ts';

const LOOK_EVERY_MS = 500;

/** Everyone who follows the log tells one at most, and the counting another. */
const KEPT_MARKS = 32;

export type Lacked = {
  readonly tell: (mark: EventMark) => void;
  readonly end: () => void;
};

/**
 * What a process has seen of a log is held against what that answers later; so one that saw another log for a while, under
 * the same address, would hold that against its own once it is back, and never hear it again. Asked below all that
 * remembers.
 */
export const createLacked = ({ holds, forget }: Pick<EventStore, 'holds' | 'forget'>): Lacked => {
  const over = new AbortController();
  const marks = new LRUCache<string, EventMark>({ max: KEPT_MARKS });
  let isLooking = false;

  const isBack = async (): Promise<boolean> => {
    for (const mark of marks.values()) if (await holds(mark).catch(() => false)) return true;
    return false;
  };

  const look = async (): Promise<void> => {
    while (!over.signal.aborted && !(await isBack())) await pause(LOOK_EVERY_MS, over.signal);
    isLooking = false;
    if (over.signal.aborted) return;
    marks.clear();
    forget();
  };

  return {
    tell: (mark) => {
      marks.set(mark.id, mark);
      if (isLooking) return;
      isLooking = true;
      void look();
    },
    end: () => over.abort(),
  };
};

/** The store, of which is told where it stays behind what may have been seen of another log. */
export const hearing = (store: EventStore, { tell }: Pick<Lacked, 'tell'>): EventStore => {
  const heard = async (ask: () => Promise<Position | undefined>): Promise<Position | undefined> => {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof SeenElsewhere) tell(error.mark);
      throw error;
    }
  };
  return {
    ...store,
    head: () => heard(store.head),
    end: () => heard(store.end),
    newest: () => heard(store.newest),
  };
};
