import { setTimeout as later } from 'node:timers/promises';

const PATIENCE_MS = 10_000;

/** Looks again and again until it holds; the last failure is what a test shows. */
export const eventually = async (holds: () => Promise<void> | void): Promise<void> => {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      await holds();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await later(20);
    }
  }
};
