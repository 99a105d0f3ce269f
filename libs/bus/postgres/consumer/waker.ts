import { pause } from '../../backoff.ts';

export type Waker = { readonly wake: () => void; readonly wait: (atMostMs: number) => Promise<void> };

/** A call of `wake` is never missed: one that came before `wait` ends it at once. */
export const createWaker = (): Waker => {
  let early = new AbortController();
  return {
    wake: () => early.abort(),
    wait: async (atMostMs) => {
      await pause(Math.max(0, atMostMs), early.signal);
      early = new AbortController();
    },
  };
};
