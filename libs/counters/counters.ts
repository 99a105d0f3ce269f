import { NumbersUnavailable } from '#deposit-commands';
import type { Position } from '#event-log';
import type { Logger } from '#platform/logging';
import { reasonOf } from '#platform/reason';
import { repeat } from '#platform/repeat';
import { type CatchUpParts, catchUp } from './catch-up.ts';
import { DatabaseAhead } from './errors.ts';
import { isBehind, readMark } from './mark.ts';

export type Counters = {
  /** Rejects with `NumbersUnavailable` while this database may not know everything that the log holds. */
  readonly beforeGiving: () => Promise<void>;
  /** The log turned out to hold what was about to be given out. */
  readonly doubt: (reason: string) => void;
  /** Settles with the first look at the log that succeeded or found the database ahead, or when it is stopped. */
  readonly firstLook: Promise<DatabaseAhead | undefined>;
  readonly stop: () => Promise<void>;
};

export type CountersOptions = CatchUpParts & { readonly logger: Logger; readonly everyMs?: number };

/** What is read again at the next start is no more than was written in this time. */
const EVERY_MS = 30_000;

/** A follower of a cluster may lag behind for a moment: only what is found so often in a row is so. */
const LOOKS = 4;

export const openCounters = ({ pool, log, logger, everyMs = EVERY_MS }: CountersOptions): Counters => {
  let behind: string | undefined = 'the event log was not looked at yet';
  let reached: Position | undefined;
  let isNewConnection = false;
  let foundAhead = 0;
  let isDoubted = false;
  const first = Promise.withResolvers<DatabaseAhead | undefined>();

  const look = async (): Promise<boolean> => {
    reached = (await catchUp({ pool, log }, isDoubted))?.position ?? reached;
    foundAhead = 0;
    isDoubted = false;
    if (behind !== undefined)
      logger.debug({ position: reached }, 'ids and addresses stand above all that the log holds');
    behind = undefined;
    first.resolve(undefined);
    return false;
  };
  const onError = (error: unknown): void => {
    if (behind !== undefined || error instanceof DatabaseAhead) behind = reasonOf(error);
    if (!(error instanceof DatabaseAhead)) return;
    foundAhead += 1;
    if (foundAhead < LOOKS) return;
    if (foundAhead === LOOKS) logger.fatal({ err: error }, 'no number is given out: the database is ahead of its log');
    first.resolve(error);
  };
  const looking = repeat({
    work: () => look(),
    pollMs: everyMs,
    onError: (error) => {
      onError(error);
      if (behind !== undefined && foundAhead < LOOKS) setTimeout(looking.wake, 250).unref();
    },
  });

  const doubt = (reason: string): void => {
    behind = reason;
    isDoubted = true;
    logger.error({ reason }, 'no number is given out until the event log is counted again');
    looking.wake();
  };

  /** A database that is put back under a running service breaks every connection first. */
  const onConnect = (): void => {
    isNewConnection = true;
  };
  pool.on('connect', onConnect);

  const checkAgain = async (): Promise<void> => {
    isNewConnection = false;
    const mark = await readMark(pool);
    if (isBehind(mark?.position, reached)) doubt('the database has forgotten what it had counted');
  };

  return {
    beforeGiving: async () => {
      if (isNewConnection) await checkAgain();
      if (behind !== undefined) throw new NumbersUnavailable(behind);
    },
    doubt,
    firstLook: first.promise,
    stop: async () => {
      pool.off('connect', onConnect);
      await looking.stop();
      first.resolve(undefined);
    },
  };
};
