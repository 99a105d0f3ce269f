import type { Logger } from '../logging/index.ts';
import { type Repeated, repeat } from './repeat.ts';

const HOUR_MS = 3_600_000;

/** Now and every hour, what nobody waits for; `trouble` is what the log says when it failed. */
export const hourly = (work: (stopping: AbortSignal) => Promise<unknown>, logger: Logger, trouble: string): Repeated =>
  repeat({
    work: async (stopping) => {
      await work(stopping);
      return false;
    },
    pollMs: HOUR_MS,
    onError: (error) => logger.warn({ err: error }, trouble),
  });
