import { setTimeout as delay } from 'node:timers/promises';
import { growingPause, pause } from '#platform/pause';
import { ConnectionLost } from './store.ts';

export type Patience = {
  /** How long a call goes on trying while the log does not answer. */
  readonly withinMs: number;
  /** From then on nobody waits: what was tried before is tried once more at most. */
  readonly leaving?: AbortSignal;
  readonly onTrouble: (trouble: { readonly what: string; readonly error: Error; readonly attempt: number }) => void;
};

export const pauseBefore = growingPause({ firstMs: 25, mostMs: 1_000 });

/**
 * Waits before the next try of what died with its connection, or throws: any other error itself, and past `until`
 * what `giveUp` makes of it.
 */
export const pauseOrGiveUp = async (
  trouble: { readonly what: string; readonly error: unknown; readonly attempt: number },
  until: number,
  { onTrouble, leaving }: Pick<Patience, 'onTrouble' | 'leaving'>,
  giveUp: (cause: ConnectionLost) => Error,
): Promise<void> => {
  const { error, attempt } = trouble;
  if (!(error instanceof ConnectionLost)) throw error;
  onTrouble({ ...trouble, error });
  const pauseMs = pauseBefore(attempt);
  if (leaving?.aborted || performance.now() + pauseMs > until) throw giveUp(error);
  await (leaving ? pause(pauseMs, leaving) : delay(pauseMs));
};

/** Repeats a call whose connection died, until it answers or patience ends with `giveUp`'s error. */
export const persist = async <T>(
  what: string,
  call: () => Promise<T>,
  patience: Patience,
  giveUp: (cause: ConnectionLost) => Error,
): Promise<T> => {
  const until = performance.now() + patience.withinMs;
  for (let attempt = 0; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      await pauseOrGiveUp({ what, error, attempt }, until, patience, giveUp);
    }
  }
};
