import { EventEmitter } from 'node:events';
import type pg from 'pg';
import { eventWithin } from '#platform/pause';
import { createNotifier, type Listener, listen } from '#platform/postgres';
import { isBefore, type Position } from '../position.ts';

const CHANNEL = 'event_log';

/** Other processes are told at most so often. */
const NOTIFY_EVERY_MS = 20;

export type Wake = {
  /** Something was appended here: wakes the readers of this process at once, and the others' soon. */
  readonly ring: (position: Position) => void;
  /** The last place that was appended to here. */
  readonly newestHere: () => Position | undefined;
  /** Resolves when something was appended anywhere, or after `ms`. A ring since `seen` counts, so none is missed. */
  readonly wait: (seen: number, ms: number, signal: AbortSignal) => Promise<void>;
  /** How often it has rung; take it before reading, give it to `wait` after. */
  readonly rings: () => number;
  readonly close: () => Promise<void>;
};

export const createWake = (pool: pg.Pool): Wake => {
  const bell = new EventEmitter().setMaxListeners(0);
  const notifier = createNotifier(pool, CHANNEL, NOTIFY_EVERY_MS);
  let rings = 0;
  const ringHere = (): void => {
    rings++;
    bell.emit('ring');
  };
  let newestHere: Position | undefined;
  let listener: Listener | undefined;
  return {
    rings: () => rings,
    newestHere: () => newestHere,
    ring: (position) => {
      if (isBefore(newestHere, position)) newestHere = position;
      ringHere();
      notifier.notify('');
    },
    wait: async (seen, ms, signal) => {
      listener ??= listen({
        pool,
        name: 'cointill event log listener',
        channel: CHANNEL,
        onListening: ringHere,
        onNotice: ringHere,
      });
      if (rings !== seen) return;
      await eventWithin(bell, 'ring', ms, signal);
    },
    close: async () => {
      await Promise.all([notifier.close(), listener?.stop()]);
    },
  };
};
