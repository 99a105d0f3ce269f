import type { Position } from '#event-log';

type Waiter = { readonly position: Position; readonly settle: (reached: boolean) => void };

/** Those who wait here, by projection. Costs no query and no connection; somebody has to tell it what moved. */
export type Waiters = {
  /** True as soon as the projection is told to stand at the position or behind it, false at the bound. */
  readonly wait: (key: string, position: Position, withinMs: number) => Promise<boolean>;
  readonly moved: (key: string, position: Position) => void;
  /** The projections that somebody waits for. */
  readonly keys: () => string[];
};

export const createWaiters = (): Waiters => {
  const waiting = new Map<string, Set<Waiter>>();

  const remove = (key: string, waiter: Waiter): void => {
    const those = waiting.get(key);
    those?.delete(waiter);
    if (those?.size === 0) waiting.delete(key);
  };

  const add = (key: string, waiter: Waiter): void => {
    const those = waiting.get(key) ?? new Set();
    those.add(waiter);
    waiting.set(key, those);
  };

  return {
    wait: (key, position, withinMs) =>
      new Promise((resolve) => {
        const settle = (reached: boolean): void => {
          clearTimeout(timer);
          remove(key, waiter);
          resolve(reached);
        };
        const timer = setTimeout(settle, withinMs, false);
        const waiter = { position, settle };
        add(key, waiter);
      }),
    moved: (key, position) => {
      for (const waiter of [...(waiting.get(key) ?? [])]) if (waiter.position <= position) waiter.settle(true);
    },
    keys: () => [...waiting.keys()],
  };
};
