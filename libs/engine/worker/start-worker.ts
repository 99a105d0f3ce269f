import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '#platform/logging';

export type Worker = {
  /** Waits for the turn under way. */
  readonly stop: () => Promise<void>;
};

export type WorkerOptions = {
  /** As log lines call it. */
  readonly name: string;
  readonly everyMs: number;
  readonly logger: Logger;
  /** True when there may be more to do at once. */
  readonly turn: () => Promise<boolean>;
};

const LONGEST_PAUSE_MS = 10_000;

/** Takes turns until it is stopped. A turn that fails is logged and tried again, later and later. */
export const startWorker = ({ name, everyMs, logger, turn }: WorkerOptions): Worker => {
  const stopping = new AbortController();
  const { signal } = stopping;
  let failures = 0;

  const takeTurn = async (): Promise<boolean> => {
    try {
      const more = await turn();
      failures = 0;
      return more;
    } catch (error) {
      failures += 1;
      logger.warn({ err: error, worker: name }, `${name} could not work and tries again`);
      return false;
    }
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      if (await takeTurn()) continue;
      const pauseMs = Math.min(everyMs * 2 ** failures, Math.max(everyMs, LONGEST_PAUSE_MS));
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  };

  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};
