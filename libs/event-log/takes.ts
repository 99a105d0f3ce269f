import { LogReadOnly } from './errors.ts';
import type { WritesRefused } from './store.ts';

const TRY_EVERY_MS = 250;

export type Takes = {
  /** Throws while the log is known to take no writes, but for whoever tries whether it does again. */
  readonly check: () => void;
  /** A write was taken. */
  readonly taken: () => void;
  /** One was waited for in vain. */
  readonly refused: (cause: WritesRefused) => LogReadOnly;
  readonly isRefusing: () => boolean;
};

/**
 * Whether the log takes writes is seen by writes alone: a standby, and a server whose disk is full, answer every
 * question. So the first that is refused waits for its end; while it lasts one of those that come is sent four times a
 * second, and waits no more; the others fail at once. Reads have no part in it.
 */
export const createTakes = (): Takes => {
  let reason: string | undefined;
  let tryAt = 0;
  return {
    check: () => {
      if (reason === undefined) return;
      const now = performance.now();
      if (now < tryAt) throw new LogReadOnly(`the event log is sent no writes while it takes none: ${reason}`);
      tryAt = now + TRY_EVERY_MS;
    },
    taken: () => {
      reason = undefined;
    },
    refused: (cause) => {
      reason = cause.message;
      tryAt = performance.now() + TRY_EVERY_MS;
      return new LogReadOnly(`the event log takes no writes: ${reason}`, { cause });
    },
    isRefusing: () => reason !== undefined,
  };
};
