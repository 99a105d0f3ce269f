import { LogUnavailable, type SameLog } from '#event-log';
import { createWaker, endsWithin, growingPause } from '#platform/pause';
import { reasonOf } from '#platform/reason';

/** A leader that wakes answers from its past for about two seconds: what is so for longer is so. */
const PAST_MS = 4_000;

/** A log that stays another one is not asked five times a second for days. */
const lookAgain = growingPause({ firstMs: 200, mostMs: 5_000, factor: 1.1, scatter: 0 });

/** As long as the log itself may take to answer. */
const PATIENCE_MS = 10_000;

export type AskedAnew = Omit<SameLog, 'isWhole'> & {
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
export const askedAnew = (
  exchanges: () => number,
  { pastMs = PAST_MS, patienceMs = PATIENCE_MS }: { readonly pastMs?: number; readonly patienceMs?: number } = {},
): AskedAnew => {
  const waker = createWaker();
  let isOver = false;
  let ask: (() => Promise<void>) | undefined;
  let askedAt: number | undefined;
  let asking: Promise<void> | undefined;
  let why: string | undefined;
  let refused = Promise.withResolvers<void>();
  let [refusals, refusedAt] = [0, 0];

  const isAsked = (): boolean => ask === undefined || exchanges() === askedAt;

  /** Whoever waits is told once the log has been another one for long enough; how long to leave it alone then. */
  const refuse = (error: unknown, since: number, at: number): number => {
    if (performance.now() - since > pastMs) why = reasonOf(error);
    const isSince = why !== undefined && at === refusedAt;
    [refusals, refusedAt] = [isSince ? refusals + 1 : 0, at];
    if (why !== undefined) refused.resolve();
    return lookAgain(refusals);
  };

  const askOnce = async (since: number): Promise<void> => {
    const before = exchanges();
    try {
      await ask?.();
      askedAt = before;
    } catch (error) {
      if (error instanceof LogUnavailable) throw error;
      await waker.wait(refuse(error, since, before));
    }
  };

  const untilAsked = async (): Promise<void> => {
    try {
      for (const since = performance.now(); !isAsked() && !isOver; ) await askOnce(since);
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

  const waitFor = async (question: Promise<void>, until: number): Promise<void> => {
    // Another connection may be to the own log.
    if (why !== undefined && exchanges() !== refusedAt) waker.wake();
    const answered = Promise.race([question, refused.promise]);
    const isInTime = why !== undefined || (await endsWithin(answered, until - performance.now()));
    if (why !== undefined)
      throw new LogUnavailable(`the event log may be another one since it was connected to anew: ${why}`);
    if (!isInTime) throw new LogUnavailable('the event log is connected to anew all the while');
  };

  return {
    askBy: (found) => {
      ask = found;
    },
    exchanges,
    isOurs: async () => {
      const until = performance.now() + patienceMs;
      while (!isAsked()) {
        if (isOver) throw new LogUnavailable('the event log is closed, and was not asked whose it is');
        asking ??= begin();
        await waitFor(asking, until);
      }
    },
    end: () => {
      isOver = true;
      waker.wake();
    },
  };
};
