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

/** Waits for the work until the signal is given, and leaves nothing behind on that. */
export const unlessAborted = async (work: Promise<unknown>, signal: AbortSignal): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = (): void => resolve();
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  try {
    await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', end);
  }
};

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

/** A pause that `end` cuts short. No signal is aborted for it: each would make an exception with its stack. */
export const createPause = () => {
  let end = (): void => undefined;
  return {
    end: (): void => end(),
    wait: (ms: number): Promise<void> =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        end = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
};

/** The same, and a call of `wake` is never missed: one that came before `wait` ends it at once. */
export const createWaker = () => {
  const { end, wait } = createPause();
  let woken = false;
  return {
    wake: (): void => {
      woken = true;
      end();
    },
    wait: async (ms: number): Promise<void> => {
      if (!woken) await wait(ms);
      woken = false;
    },
  };
};

export type Waker = ReturnType<typeof createWaker>;
