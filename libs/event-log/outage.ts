import { pause } from '#platform/pause';
import { LogReadOnly, LogUnavailable, unavailable } from './errors.ts';
import { ConnectionLost, type EventStore } from './store.ts';

const PROBE_EVERY_MS = 250;

export type Outage = {
  /** Waits for the work; while the log is known not to answer it is not even begun. */
  readonly guard: <T>(work: () => Promise<T>) => Promise<T>;
  /** The same for a read, which may fail at any of its items. */
  readonly guardRead: <T>(read: () => AsyncIterable<T>) => AsyncGenerator<T>;
  /** The same for what others wait for: it is left as soon as the log is known not to answer. */
  readonly guardAsking: <T>(work: () => Promise<T>) => Promise<T>;
  readonly end: () => void;
};

/**
 * A call waits long for a log that does not answer, and holds what its caller holds. That is for the first of them
 * to find out: the following fail at once, until one probe gets through. That asks; so a log that answers and takes
 * no writes is none of it (`takes.ts`).
 */
export const createOutage = (store: Pick<EventStore, 'head'>): Outage => {
  const over = new AbortController();
  const leaving = new Set<(away: LogUnavailable) => void>();
  let reason: LogUnavailable | undefined;

  const probe = async (): Promise<void> => {
    while (reason && !over.signal.aborted) {
      await pause(PROBE_EVERY_MS, over.signal);
      await store.head().then(
        () => {
          reason = undefined;
        },
        // What it has by now says more than that of one call: that a log ends too early, for one.
        (error: unknown) => {
          if (error instanceof ConnectionLost) reason = unavailable(error);
        },
      );
    }
  };

  /** Not the error itself: that the outcome of one append is unknown holds for nobody who only asks. */
  const notAsked = ({ message }: LogUnavailable): LogUnavailable =>
    new LogUnavailable(`the event log is not asked while it does not answer: ${message}`);

  const noticed = (error: unknown): unknown => {
    if (error instanceof LogUnavailable && !(error instanceof LogReadOnly) && !reason) {
      reason = error;
      for (const leave of leaving) leave(notAsked(error));
      void probe();
    }
    return error;
  };

  const check = (): void => {
    if (reason) throw notAsked(reason);
  };

  return {
    guard: async (work) => {
      check();
      try {
        return await work();
      } catch (error) {
        throw noticed(error);
      }
    },
    guardRead: async function* (read) {
      check();
      try {
        yield* read();
      } catch (error) {
        throw noticed(error);
      }
    },
    guardAsking: async (work) => {
      check();
      const away = Promise.withResolvers<never>();
      leaving.add(away.reject);
      try {
        return await Promise.race([work(), away.promise]);
      } catch (error) {
        throw noticed(error);
      } finally {
        leaving.delete(away.reject);
      }
    },
    end: () => over.abort(),
  };
};
