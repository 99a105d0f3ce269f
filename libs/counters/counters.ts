import { type Giving, NumbersUnavailable } from '#deposit-commands';
import type { Logger } from '#platform/logging';
import { reasonOf } from '#platform/reason';
import { repeat } from '#platform/repeat';
import { type CatchUpParts, catchUp } from './catch-up.ts';
import { DatabaseAhead } from './errors.ts';
import { createKnown } from './known.ts';
import { createLooked } from './looked.ts';
import { serverOf } from './mark.ts';
import { OLDER_THAN_ITS_LOG, type PutBackParts, raiseWherePutBack } from './put-back.ts';
import { createShared, type Numbered, type SharedParts } from './shared.ts';
import { tellLeftOut } from './tell-left-out.ts';
import { tellOfTwo } from './tell-of-two.ts';
import { tellRaised } from './tell-raised.ts';

export type Counters = {
  /** Rejects with `NumbersUnavailable` while this database may not know everything that the log holds. */
  readonly beforeGiving: () => Promise<void>;
  /** Rejects likewise, but not where numbers are kept back for good, which is an alarm: all else can be served. */
  readonly counted: () => Promise<void>;
  /** What is taken, or taken once more where the database was exchanged meanwhile. */
  readonly giving: Giving;
  /** The log turned out to hold what was about to be given out. */
  readonly stoodInLog: (kind: Numbered, id: number) => void;
  /** Nothing is given out until all of the log was counted again. */
  readonly doubt: (reason: string) => void;
  /** Settles with the first look at the log that succeeded or found the database ahead, or when it is stopped. */
  readonly firstLook: Promise<DatabaseAhead | undefined>;
  readonly stop: () => Promise<void>;
};

export type CountersOptions = Omit<CatchUpParts, 'looked' | 'onLeftOut' | 'onOfTwo'> &
  PutBackParts &
  Pick<SharedParts, 'health'> & { readonly logger: Logger; readonly everyMs?: number };

/** What is read again at the next start is no more than was written in this time. */
const EVERY_MS = 30_000;

/** A follower of a cluster may lag behind for a moment: only what is found so often in a row is so. */
const LOOKS = 4;

export const openCounters = ({ log, logger, health, everyMs = EVERY_MS, ...parts }: CountersOptions): Counters => {
  const { pool } = parts;
  let behind: string | undefined = 'the event log was not looked at yet';
  let refusal: string | undefined;
  let server: string | undefined;
  let exchanges = 0;
  let isNewConnection = false;
  let checking: Promise<void> | undefined;
  let foundAhead = 0;
  let [doubts, settled] = [0, 0];
  const first = Promise.withResolvers<DatabaseAhead | undefined>();
  const looked = createLooked();
  const known = createKnown(parts);
  const [onLeftOut, onOfTwo] = [tellLeftOut(logger), tellOfTwo(logger)];
  const shared = createShared({ pool, logger, health });

  const raise = async (): Promise<void> => {
    const raised = await raiseWherePutBack(parts);
    if (!raised) return;
    exchanges += 1;
    // What the log alone has shown is what a second database shows too.
    if (raised.because !== OLDER_THAN_ITS_LOG) shared.explain();
    tellRaised(logger, raised);
  };
  const count = async (): Promise<void> => {
    const found = await serverOf(pool);
    if (found !== server) {
      exchanges += 1;
      looked.forget();
      if (server !== undefined) shared.explain();
    }
    if (await known.isForgotten()) shared.explain();
    const mark = await catchUp({ pool, log, looked, onLeftOut, onOfTwo }, doubts > settled);
    // Above all that the log holds, and by what that has shown.
    await raise();
    await known.learn(mark);
    server = found;
  };
  const look = async (): Promise<boolean> => {
    const before = doubts;
    await count();
    refusal = await shared.judge();
    foundAhead = 0;
    first.resolve(undefined);
    // What is doubted since it began, this look has not seen.
    if (doubts !== before) return true;
    settled = before;
    if (behind !== undefined)
      logger.debug({ position: known.reached() }, 'ids and addresses stand above all that the log holds');
    behind = undefined;
    return false;
  };
  const onError = (error: unknown): void => {
    looked.forget();
    if (behind !== undefined || error instanceof DatabaseAhead) behind = reasonOf(error);
    else logger.warn({ err: error }, 'what the event log holds since it was counted could not be counted');
    if (!(error instanceof DatabaseAhead)) return;
    foundAhead += 1;
    if (foundAhead < LOOKS) return;
    log.lacked(error.mark);
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

  const countAgain = (reason: string): void => {
    behind = reason;
    doubts += 1;
    exchanges += 1;
    logger.error({ reason }, 'no number is given out until the event log is counted again');
    looking.wake();
  };

  const doubt = (reason: string): void => {
    shared.explain();
    countAgain(reason);
  };

  /** A database that is put back under a running service breaks every connection first. */
  const onConnect = (): void => {
    isNewConnection = true;
  };
  pool.on('connect', onConnect);

  const check = async (): Promise<void> => {
    isNewConnection = false;
    try {
      if (await known.isForgotten()) doubt('the database has forgotten what it had counted');
      // A standby that took over may lack what was given since the mark was moved.
      else if ((await serverOf(pool)) !== server) await count();
    } catch (error) {
      isNewConnection = true;
      throw new NumbersUnavailable(`a new connection could not be looked at: ${reasonOf(error)}`, { cause: error });
    }
  };

  const counted = async (): Promise<void> => {
    if (behind === undefined && isNewConnection) checking ??= check().finally(() => (checking = undefined));
    await checking;
    if (behind !== undefined) throw new NumbersUnavailable(behind);
  };

  const beforeGiving = async (): Promise<void> => {
    await counted();
    if (refusal !== undefined) throw new NumbersUnavailable(refusal);
  };

  return {
    ...{ beforeGiving, counted },
    giving: async (take) => {
      for (;;) {
        await beforeGiving();
        const before = exchanges;
        const taken = await take();
        // It may have been taken on the first connection to another database.
        await beforeGiving();
        if (exchanges === before) return taken;
      }
    },
    stoodInLog: (kind, id) => {
      shared.met(kind, id);
      countAgain(`${kind} ${id} stood in the log already`);
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
