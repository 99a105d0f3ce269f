import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

/** Of the time of a process that serves others meanwhile, and of one that has nothing else to do. */
const [BESIDE_OTHERS, ALONE] = [0.08, 0.8];
const BUSY = 0.03;
const LONGEST_MS = 1_000;

/**
 * Pauses after each piece of work, long while the process has other things to do and short while it has none: looked at
 * in the pause itself.
 */
export const createPace = (): (() => Promise<void>) => {
  let share = BESIDE_OTHERS;
  let resumed = performance.now();
  return async () => {
    const worked = performance.now() - resumed;
    const before = performance.eventLoopUtilization();
    await delay(Math.min(LONGEST_MS, Math.max(2, (worked * (1 - share)) / share)));
    const { utilization } = performance.eventLoopUtilization(before);
    share = utilization > BUSY ? BESIDE_OTHERS : ALONE;
    resumed = performance.now();
  };
};
