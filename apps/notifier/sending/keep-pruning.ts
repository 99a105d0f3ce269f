import type { Logger } from '#platform/logging';
import type { Queryable } from '#platform/postgres';
import { type Repeated, repeat } from '#platform/repeat';
import { pruneBodies } from '#webhooks';

const EVERY_MS = 3_600_000;

/** Lets go of old bodies, now and every hour. */
export const keepPruning = (db: Queryable, keepDays: number, logger: Logger): Repeated =>
  repeat({
    work: async (stopping) => {
      await pruneBodies(db, keepDays, stopping);
      return false;
    },
    pollMs: EVERY_MS,
    onError: (error) => logger.warn({ err: error }, 'old bodies of webhooks could not be pruned'),
  });
