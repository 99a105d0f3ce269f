import { setTimeout as delay } from 'node:timers/promises';
import { ConnectionLost } from './store.ts';

export type Patience = {
  /** How long a call goes on trying while the log does not answer. */
  readonly withinMs: number;
  readonly onTrouble: (trouble: { readonly what: string; readonly error: Error; readonly attempt: number }) => void;
};

const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 1_000;

/** Doubles from try to try, and is spread so that many callers do not come back at the same moment. */
export const pauseBefore = (attempt: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt) * (0.5 + Math.random() / 2);

/** Repeats a call whose connection died, until it answers or patience ends with `giveUp`'s error. */
export const persist = async <T>(
  what: string,
  call: () => Promise<T>,
  { withinMs, onTrouble }: Patience,
  giveUp: (cause: ConnectionLost) => Error,
): Promise<T> => {
  const until = performance.now() + withinMs;
  for (let attempt = 0; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
      onTrouble({ what, error, attempt });
      const pause = pauseBefore(attempt);
      if (performance.now() + pause > until) throw giveUp(error);
      await delay(pause);
    }
  }
};
