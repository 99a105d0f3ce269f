import type { Pool } from 'pg';
import { pause } from '#platform/pause';
import { reasonOf } from '../errors.ts';
import type { BusLog } from '../log.ts';
import type { Retention } from './options.ts';
import { pruneMessages } from './prune.ts';

/** Prunes now and then until the signal is given; several instances doing it at once only share the work. */
export const keepPruning = async (
  pool: Pool,
  retention: Retention,
  log: BusLog,
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    try {
      const removed = await pruneMessages(pool, retention.keepMs);
      if (removed > 0) log.info(`The bus removed ${removed} messages that every group has committed`);
    } catch (error) {
      log.warn(`The bus could not remove old messages: ${reasonOf(error)}`);
    }
    await pause(retention.everyMs ?? 60_000, signal);
  }
};
