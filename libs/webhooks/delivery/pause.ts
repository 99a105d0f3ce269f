import { setTimeout as delay } from 'node:timers/promises';

/** A pause that may be cut short. */
export const createPause = () => {
  let cut: (() => void) | undefined;
  return {
    end: (): void => cut?.(),
    pause: async (ms: number): Promise<void> => {
      const ending = new AbortController();
      cut = () => ending.abort();
      await delay(ms, undefined, { signal: ending.signal }).catch(() => undefined);
      cut = undefined;
    },
  };
};

/** The same, where a call between two pauses counts for the next one. */
export const createWaker = () => {
  const { end, pause } = createPause();
  let called = false;
  return {
    wake: (): void => {
      called = true;
      end();
    },
    pause: async (ms: number): Promise<void> => {
      if (!called) await pause(ms);
      called = false;
    },
  };
};
