import { setTimeout as delay } from 'node:timers/promises';

/** Ends early, without a throw, when the signal is given. */
export const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  await delay(ms, undefined, { signal }).catch(() => undefined);
};

/** Once: each abort makes an exception with its stack, and some are woken thousands of times a second. */
const abortOnce = (controller: AbortController): void => {
  if (!controller.signal.aborted) controller.abort();
};

/** A pause that `end` cuts short. */
export const createPause = () => {
  let ending = new AbortController();
  return {
    end: (): void => abortOnce(ending),
    wait: async (ms: number): Promise<void> => {
      ending = new AbortController();
      await pause(ms, ending.signal);
    },
  };
};

/** The same, and a call of `wake` is never missed: one that came before `wait` ends it at once. */
export const createWaker = () => {
  let early = new AbortController();
  return {
    wake: (): void => abortOnce(early),
    wait: async (ms: number): Promise<void> => {
      await pause(ms, early.signal);
      early = new AbortController();
    },
  };
};

export type Waker = ReturnType<typeof createWaker>;
