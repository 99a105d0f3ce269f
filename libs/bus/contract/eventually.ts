import { setTimeout as delay } from 'node:timers/promises';

/** For what nobody tells: looks until it is so. The test's own time limit ends the wait. */
export const eventually = async <T>(look: () => Promise<T>, expected: T): Promise<void> => {
  while ((await look()) !== expected) await delay(25);
};
