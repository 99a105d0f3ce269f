import { LogUnavailable, type SameLog } from '#event-log';
import { pause } from '#platform/pause';
import { reasonOf } from '#platform/reason';

/** A leader that wakes answers from its past for about two seconds: what is so for longer is so. */
const PAST_MS = 4_000;

const LOOK_EVERY_MS = 200;

export type AskedAnew = SameLog & {
  /**
   * From here on it is asked so whenever there is a sign that the log may be another one; a throw says that it is, but for
   * `LogUnavailable`, which is thrown to all who wait.
   */
  readonly askBy: (ask: () => Promise<void>) => void;
  readonly end: () => void;
};

/**
 * Behind a new connection there may be another server: the emptied one of a mistake, or that of another installation. So
 * whoever calls waits for the one question whose log it is, once for all who do.
 */
export const askedAnew = (exchanges: () => number, pastMs = PAST_MS): AskedAnew => {
  const over = new AbortController();
  let ask: (() => Promise<void>) | undefined;
  let askedAt: number | undefined;
  let asking: Promise<void> | undefined;
  let why: string | undefined;
  let refused = Promise.withResolvers<void>();

  const isAsked = (): boolean => ask === undefined || exchanges() === askedAt;

  const askOnce = async (since: number): Promise<void> => {
    const before = exchanges();
    try {
      await ask?.();
      askedAt = before;
    } catch (error) {
      if (error instanceof LogUnavailable) throw error;
      if (performance.now() - since > pastMs) why = reasonOf(error);
      if (why !== undefined) refused.resolve();
      await pause(LOOK_EVERY_MS, over.signal);
    }
  };

  const untilAsked = async (): Promise<void> => {
    try {
      for (const since = performance.now(); !isAsked() && !over.signal.aborted; ) await askOnce(since);
    } finally {
      [asking, why] = [undefined, undefined];
      refused = Promise.withResolvers();
    }
  };

  const begin = (): Promise<void> => {
    const begun = untilAsked();
    // Whoever waited may have been refused before.
    begun.catch(() => undefined);
    return begun;
  };

  return {
    askBy: (found) => {
      ask = found;
    },
    isAsked,
    isOurs: async () => {
      while (!isAsked() && !over.signal.aborted) {
        asking ??= begin();
        if (why === undefined) await Promise.race([asking, refused.promise]);
        if (why !== undefined)
          throw new LogUnavailable(`the event log may be another one since it was connected to anew: ${why}`);
      }
    },
    end: () => over.abort(),
  };
};
