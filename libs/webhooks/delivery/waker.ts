import { setTimeout as delay } from 'node:timers/promises';

/** A pause that may be cut short; a call between two pauses counts for the next one. */
export const createWaker = () => {
  let called = false;
  let cut: (() => void) | undefined;
  return {
    wake: (): void => {
      called = true;
      cut?.();
    },
    pause: async (ms: number): Promise<void> => {
      if (!called) {
        const ending = new AbortController();
        cut = () => ending.abort();
        await delay(ms, undefined, { signal: ending.signal }).catch(() => undefined);
        cut = undefined;
      }
      called = false;
    },
  };
};
