import { LRUCache } from 'lru-cache';
import { createWaker, growingPause } from '#platform/pause';
import type { EventMark } from './port.ts';
import type { Position } from './position.ts';
import { type EventStore, SeenElsewhere } from './store.ts';

/** Whoever has lost its log for good does not ask for it twice a second for ever. */
const lookAgain = growingPause({ firstMs: 500, mostMs: 5_000, factor: 1.1 });

/** Everyone who follows the log tells one at most, and the counting another. */
const KEPT_MARKS = 32;

/** Another log that has stood there for as long has become the own one. */
const KEPT_MS = 7 * 24 * 3_600_000;

export type Lacked = {
  readonly tell: (mark: EventMark) => void;
  readonly end: () => void;
};

/**
 * What a process has seen of a log is held against what that answers later; so one that saw another log for a while, under
 * the same address, would hold that against its own once it is back, and never hear it again. Asked below all that
 * remembers.
 */
export const createLacked = (
  { holds, forget }: Pick<EventStore, 'holds' | 'forget'>,
  onLacked = (): void => undefined,
): Lacked => {
  const marks = new LRUCache<string, { readonly mark: EventMark; readonly until: number }>({ max: KEPT_MARKS });
  const waker = createWaker();
  let [isOver, isLooking, looks] = [false, false, 0];

  const stillKept = () => [...marks.values()].filter(({ until }) => until > performance.now());

  const isBack = async (kept: ReturnType<typeof stillKept>): Promise<boolean> => {
    for (const { mark } of kept) if (await holds(mark).catch(() => false)) return true;
    return false;
  };

  const look = async (): Promise<void> => {
    for (let kept = stillKept(); kept.length > 0 && !isOver; kept = stillKept()) {
      if (await isBack(kept)) {
        marks.clear();
        forget();
      } else await waker.wait(lookAgain(looks++));
    }
    isLooking = false;
  };

  return {
    tell: (mark) => {
      // Whoever looks tells it with each look.
      if (marks.has(mark.id)) return;
      onLacked();
      marks.set(mark.id, { mark, until: performance.now() + KEPT_MS });
      looks = 0;
      waker.wake();
      if (isLooking) return;
      isLooking = true;
      void look();
    },
    end: () => {
      isOver = true;
      waker.wake();
    },
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
