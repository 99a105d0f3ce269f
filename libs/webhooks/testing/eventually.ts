import { setTimeout as delay } from 'node:timers/promises';

/** Waits until `holds`, and says so when it does not in time. */
export const eventually = async (
  what: string,
  holds: () => boolean | Promise<boolean>,
  withinMs = 10_000,
): Promise<void> => {
  const end = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not within ${withinMs} ms: ${what}`);
    await delay(10);
  }
};
