import { EventEmitter } from 'node:events';
import { eventWithin } from '#platform/pause';

/**
 * The server drops a live subscription behind which more than 32 events lie. So many may go out while one is open, and
 * what others write counts as it comes.
 */
const MANY = 32;

/** What came so long ago counts half. */
const HALF_LIFE_MS = 100;

export type Pace = {
  /** So many events are about to go out, or have come. What goes out waits for what is answered. */
  readonly count: (events: number) => Promise<unknown> | undefined;
  readonly isFast: () => boolean;
  /** Asks to leave once it is fast, until the function that it returns is called. */
  readonly whenFast: (leave: () => Promise<unknown>) => () => void;
  /** Something was appended here. */
  readonly ring: () => void;
  /** How often it has rung; take it before reading, give it to `wait` after. */
  readonly rings: () => number;
  /** Until something is appended here, or `ms` are over. A ring since `seen` counts, so none is missed. */
  readonly wait: (seen: number, ms: number, signal: AbortSignal) => Promise<void>;
};

/** How fast the log grows, as far as this process notices. */
export const createPace = (): Pace => {
  const bell = new EventEmitter().setMaxListeners(0);
  const open = new Set<() => Promise<unknown>>();
  let [recent, countedAt, rings] = [0, 0, 0];
  const recently = (now: number): number => recent * 0.5 ** ((now - countedAt) / HALF_LIFE_MS);

  return {
    isFast: () => recently(performance.now()) > MANY,
    count: (events) => {
      const now = performance.now();
      [recent, countedAt] = [recently(now) + events, now];
      return recent > MANY && open.size > 0 ? Promise.all([...open].map((leave) => leave())) : undefined;
    },
    whenFast: (leave) => {
      open.add(leave);
      return () => open.delete(leave);
    },
    ring: () => {
      rings++;
      bell.emit('ring');
    },
    rings: () => rings,
    wait: async (seen, ms, signal) => {
      if (rings === seen) await eventWithin(bell, 'ring', ms, signal);
    },
  };
};
