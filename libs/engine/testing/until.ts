import { setTimeout as delay } from 'node:timers/promises';

const PATIENCE_MS = 10_000;

/** Asks again until it holds. */
export const until = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
  const patience = Date.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (Date.now() > patience) throw new Error(`not within ${PATIENCE_MS} ms: ${what}`);
    await delay(10);
  }
};
