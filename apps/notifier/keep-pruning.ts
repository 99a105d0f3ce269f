import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '#platform/logging';
import type { Queryable } from '#platform/postgres';
import { pruneBodies } from '#webhooks';

const EVERY_MS = 3_600_000;

/** Lets go of old bodies, now and every hour. */
export const keepPruning = (db: Queryable, keepDays: number, logger: Logger) => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        await pruneBodies(db, keepDays, signal);
      } catch (error) {
        logger.warn({ err: error }, 'old bodies of webhooks could not be pruned');
      }
      await delay(EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    stop: async (): Promise<void> => {
      stopping.abort();
      await running;
    },
  };
};
