import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { type Position, parsePosition } from '#event-log';
import { createWaker, endsWithin } from '#platform/pause';
import { keyOf } from '../projection.ts';
import { createListening } from './listening.ts';
import { createWaiters } from './waiters.ts';

/** How often everything that is waited for is looked up, however many wait, should no notification come. */
const POLL_MS = 100;

/** A newcomer's position may stand already, so it hastens the next look; but never more often than this. */
const LOOK_AT_MOST_EVERY_MS = 5;

/** The listening connection stays this long after the last one who waited. */
const LINGER_MS = 5_000;

export type Hub = {
  readonly wait: (key: string, position: Position, withinMs: number) => Promise<boolean>;
  /** A runner on this pool owns the projection, or stands there now: who waits here needs no database. */
  readonly movedHere: (key: string, position: Position | undefined) => void;
  readonly disowned: (key: string) => void;
  /** Waits still open run into their bounds. */
  readonly close: () => Promise<void>;
};

/**
 * One that has stopped beside a log that was put back stands behind all that this one holds, and its rows show none of it;
 * one whose place may be of another log shows its last event, unless its owner tells that he has read on in this one.
 */
const lookUp = async (pool: pg.Pool, moved: (key: string, position: Position) => void): Promise<void> => {
  const { rows } = await pool.query<{ name: string; version: number; position: string }>(
    `SELECT name, version, shown AS position FROM projection_checkpoints,
       LATERAL (SELECT CASE WHEN behind_last THEN last_event ->> 'position' ELSE position END) AS at (shown)
     WHERE shown IS NOT NULL AND state <> 'stopped'`,
  );
  for (const row of rows) moved(keyOf(row), parsePosition(row.position));
};

const createHub = (pool: pg.Pool): Hub => {
  const waiters = createWaiters();
  const listening = createListening(pool, ({ key, position }) => waiters.moved(key, position));
  /** Owned on this pool, and how far. Forgotten with the ownership, so it never outlives what it says. */
  const here = new Map<string, Position | undefined>();
  const haste = createWaker();
  let watching: Promise<void> | undefined;
  let lingering: NodeJS.Timeout | undefined;
  let closed = false;

  /** One at a time. A pool that has no connection left, or a database that does not answer, holds up nobody. */
  let looking: Promise<void> | undefined;
  const look = (): Promise<void> => {
    looking ??= lookUp(pool, waiters.moved)
      .catch(() => undefined)
      .finally(() => {
        looking = undefined;
      });
    return looking;
  };

  const elsewhere = (): string[] => waiters.keys().filter((key) => !here.has(key));

  const watch = async (): Promise<void> => {
    clearTimeout(lingering);
    for (let keys = elsewhere(); keys.length > 0 && !closed; keys = elsewhere()) {
      listening.ask(keys);
      await endsWithin(look(), POLL_MS);
      await delay(LOOK_AT_MOST_EVERY_MS);
      await haste.wait(POLL_MS);
    }
    if (!closed) lingering = setTimeout(() => listening.close(), LINGER_MS).unref();
  };

  const ensureWatched = (): void => {
    if (watching !== undefined) haste.wake();
    else if (!closed && elsewhere().length > 0)
      watching = watch().finally(() => {
        watching = undefined;
        ensureWatched();
      });
  };

  return {
    wait: (key, position, withinMs) => {
      const stands = here.get(key);
      if (stands !== undefined && position <= stands) return Promise.resolve(true);
      const reached = waiters.wait(key, position, withinMs);
      ensureWatched();
      return reached;
    },
    movedHere: (key, position) => {
      here.set(key, position);
      if (position !== undefined) waiters.moved(key, position);
    },
    disowned: (key) => {
      here.delete(key);
      ensureWatched();
    },
    close: async () => {
      closed = true;
      clearTimeout(lingering);
      haste.wake();
      await watching;
      await listening.close();
    },
  };
};

/** One per pool: runners and those who wait meet where they share it. */
const hubs = new WeakMap<pg.Pool, Hub>();

export const hubOf = (pool: pg.Pool): Hub => {
  const hub = hubs.get(pool) ?? createHub(pool);
  hubs.set(pool, hub);
  return hub;
};
