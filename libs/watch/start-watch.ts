import { recordScripts } from '#addresses';
import { keepTrying, whenAborted } from '#platform/pause';
import { type Queryable, whileOwner } from '#platform/postgres';
import { type Repeated, repeat } from '#platform/repeat';
import type { WatchedChain } from './chain.ts';
import { createClock } from './clock.ts';
import type { WatchParts } from './parts.ts';
import { type SendParts, sendSignals } from './send.ts';
import type { ToldInLog } from './told/in-log.ts';
import { createKeepUp } from './told/keep-up.ts';
import { createWatch } from './watch-chain.ts';

export type StartWatch = Omit<WatchParts, 'chain'> &
  Pick<SendParts, 'takeSignals' | 'isFault'> & {
    readonly chains: readonly WatchedChain[];
    readonly told: ToldInLog;
    readonly everyMs?: number;
  };

export type Watching = { readonly stop: () => Promise<void> };

const EVERY_MS = 500;
const LOOK_EVERY_MS = 5_000;
const LIST_EVERY_MS = 15_000;
const TRY_EVERY_MS = 30_000;
const KEEP_UP_EVERY_MS = 10_000;

type Ownership = { readonly owner: Queryable; readonly over: AbortSignal };

/** What the owner of a chain does until it is told to stop, or is the owner no more. */
const workOn = async (options: StartWatch, chain: WatchedChain, { owner, over }: Ownership): Promise<void> => {
  const { pool, logger, everyMs = EVERY_MS } = options;
  const { coin } = chain;
  const clock = createClock(pool);
  await clock.look();
  const { begin, keepUp } = createKeepUp({ pool, logger, coin, told: options.told, owner, stopping: over });
  await begin();
  const watch = createWatch({ ...options, chain, now: options.now ?? clock.now });
  const { turn, lookAround, rescan, listElsewhere, tryAgain, mayTell } = watch;
  const sender = repeat({
    pollMs: everyMs,
    onError: (error) => logger.warn({ err: error, chain: coin }, 'signals of a chain are not taken now'),
    work: async () => (await mayTell()) && sendSignals({ ...options, chain: coin }),
  });
  const every = (pollMs: number, trouble: string, work: (stopping: AbortSignal) => Promise<unknown>): Repeated =>
    repeat({
      pollMs,
      onError: (error) => logger.warn({ err: error, chain: coin }, trouble),
      work: async (stopping) => {
        await work(stopping);
        return false;
      },
    });
  const readers = [
    every(everyMs, 'a chain cannot be followed now', async (stopping) => {
      await clock.look();
      await recordScripts(pool, stopping);
      await turn(stopping);
      sender.wake();
    }),
    every(everyMs, 'blocks of a chain cannot be read again now', async (stopping) => {
      await rescan(stopping);
      sender.wake();
    }),
    every(LOOK_EVERY_MS, 'nobody can look at the nodes of a chain now', lookAround),
    every(LIST_EVERY_MS, 'nobody can see now what waits at other nodes of a chain', listElsewhere),
    every(KEEP_UP_EVERY_MS, 'nobody can note now how far the log knows a chain', keepUp),
    every(TRY_EVERY_MS, 'nobody can try the nodes of a chain again now', tryAgain),
  ];
  await whenAborted(over);
  await Promise.all(readers.map(({ stop }) => stop()));
  await sender.stop();
};

const watchOne = (options: StartWatch, chain: WatchedChain, signal: AbortSignal): Promise<unknown> => {
  const { pool, logger } = options;
  const { coin } = chain;
  const onTrouble = (error: unknown): void => logger.warn({ err: error, chain: coin }, 'a chain has no watcher now');
  return keepTrying({ signal, onTrouble }, (onProgress) =>
    whileOwner({ name: `watch ${coin}`, pool, signal, logger }, (owner, over) => {
      onProgress();
      return workOn(options, chain, { owner, over });
    }),
  );
};

/** One instance follows a chain, another takes over when it is gone; were there two for a moment, the tip lets one pass. */
export const startWatch = (options: StartWatch): Watching => {
  const stopping = new AbortController();
  const running = options.chains.map((chain) => watchOne(options, chain, stopping.signal));
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
};
