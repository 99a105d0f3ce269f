import type { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** Ends early, without a throw, when the signal is given. */
export const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  await delay(ms, undefined, { signal }).catch(() => undefined);
};

export const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Resolves at the next event of that name, after `ms`, or when the signal is given. Leaves nothing behind on either. */
export const eventWithin = (bell: EventEmitter, event: string, ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      bell.off(event, end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    bell.on(event, end);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });

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
