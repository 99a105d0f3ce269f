import { EventEmitter } from 'node:events';
import { eventWithin } from '#platform/pause';

/** The server drops a live subscription behind which more events lie: no more of ours may be on their way to one. */
const LIVE_BUFFER = 32;

/** So many events in a tenth of a second or two are read with less in pages, and come in large heaps. */
const MANY = 64;

/** What came so long ago counts half. */
const HALF_LIFE_MS = 100;

/** What was refused, or had come before it was sent again, never comes. */
const GIVEN_UP_MS = 2_000;

type Ids = readonly { readonly id: string }[];

export type Pace = {
  /** These are about to go out; where somebody has to leave before, they wait for what is answered. */
  readonly goesOut: (events: Ids) => Promise<unknown> | undefined;
  readonly came: (events: Ids) => void;
  readonly isFast: () => boolean;
  /** Asks to leave before too many are on their way, once, until the function that it returns is called. */
  readonly whenFar: (leave: () => Promise<unknown>) => () => void;
  /** Something was appended here, or has come. */
  readonly ring: () => void;
  /** How often it has rung; take it before reading, give it to `wait` after. */
  readonly rings: () => number;
  /** Until it rings, or `ms` are over. A ring since `seen` counts, so none is missed. */
  readonly wait: (seen: number, ms: number, signal: AbortSignal) => Promise<void>;
};

/** How fast the log grows, as far as this process notices, and how much of its own has not come back to it. */
export const createPace = (): Pace => {
  const bell = new EventEmitter().setMaxListeners(0);
  const live = new Set<() => Promise<unknown>>();
  const sentAt = new Map<string, number>();
  let leaving: Promise<unknown> | undefined;
  let [recent, countedAt, rings] = [0, 0, 0];
  const recently = (now: number): number => recent * 0.5 ** ((now - countedAt) / HALF_LIFE_MS);

  const onTheirWay = (now: number): number => {
    for (const [id, at] of sentAt) {
      if (now - at < GIVEN_UP_MS) break;
      sentAt.delete(id);
    }
    return sentAt.size;
  };

  const leaveAll = (): Promise<unknown> => {
    const all = [...live].map((leave) => leave());
    live.clear();
    return Promise.all(all).finally(() => {
      leaving = undefined;
    });
  };

  return {
    isFast: () => {
      const now = performance.now();
      return recently(now) > MANY || onTheirWay(now) > LIVE_BUFFER;
    },
    goesOut: (events) => {
      const now = performance.now();
      for (const { id } of events) sentAt.set(id, now);
      if (live.size > 0 && onTheirWay(now) > LIVE_BUFFER) leaving = leaveAll();
      return leaving;
    },
    came: (events) => {
      const now = performance.now();
      [recent, countedAt] = [recently(now) + events.length, now];
      for (const { id } of events) sentAt.delete(id);
    },
    whenFar: (leave) => {
      live.add(leave);
      return () => live.delete(leave);
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
