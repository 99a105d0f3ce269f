import { setTimeout as delay } from 'node:timers/promises';
import type { Kept } from './keep-running.ts';

/** Somebody to be killed again and again, each time after a life of random length. */
export type Victim = {
  readonly longestLifeMs: number;
  /** At least so often, however soon there is nothing to do any more. */
  readonly atLeast: number;
  readonly alive: () => Promise<void>;
  /** Resolves when it is dead, or back. */
  readonly kill: (nth: number) => Promise<void>;
};

export const victimOf = (kept: Kept, longestLifeMs: number, atLeast: number): Victim => ({
  longestLifeMs,
  atLeast,
  alive: kept.ready,
  kill: kept.kill,
});

/** Kills until the signal is given and everyone had their share. Resolves to how often. */
export const killAtRandom = async (
  { longestLifeMs, atLeast, alive, kill }: Victim,
  enough: AbortSignal,
): Promise<number> => {
  for (let kills = 0; ; kills += 1) {
    if (enough.aborted && kills >= atLeast) return kills;
    await alive();
    await delay(Math.random() * longestLifeMs);
    await kill(kills);
  }
};
