import { hostname } from 'node:os';
import { engineLock, isSameEngine, keptEngine, type Played } from '#instances';
import { keepTrying, pause } from '#platform/pause';
import { type Connection, openConnection, type Queryable } from '#platform/postgres';
import type { Ground } from './ground.ts';
import { type SettleParts, settleEngine } from './settle-engine.ts';

type Parts = SettleParts & Pick<Ground, 'name' | 'onAnotherEngine' | 'pool'> & { readonly lookEveryMs?: number };

const LOOK_EVERY_MS = 5_000;

/** A connection of its own: the lock ends with it, however the process ends. */
const begin = async ({ pool, name }: Parts, settle: (client: Queryable) => Promise<void>): Promise<Connection> => {
  const connection = await openConnection(pool, `${name} on ${hostname()}, process ${process.pid}`);
  try {
    await settle(connection.client);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
};

const shareAgain = async (client: Queryable): Promise<void> => {
  if (!(await engineLock.share(client))) throw new Error('another instance is about to change the engine');
};

/** Returns another engine that is kept by now; undefined when it was told to stop first. */
const watch = async (
  { configuration, lookEveryMs = LOOK_EVERY_MS }: Parts,
  { client, lost }: Connection,
  signal: AbortSignal,
): Promise<Played | undefined> => {
  const over = AbortSignal.any([signal, lost]);
  while (!over.aborted) {
    const kept = await keptEngine(client);
    if (kept && !isSameEngine(kept, configuration)) return kept;
    await pause(lookEveryMs, over);
  }
  if (signal.aborted) return undefined;
  throw new Error('the connection that holds this installation to one engine is gone');
};

export type HeldEngine = { readonly stop: () => Promise<void> };

/**
 * An installation has one engine, and the addresses of a demonstration or none. One more instance without these settings
 * would pay returns with transactions that no chain has, at prices that nobody asks, to addresses that nobody can spend
 * from: what was left out changes nothing, and what is asked for by name changes it while nobody else runs. Whoever was
 * cut off so long that the engine was changed meanwhile ends.
 */
export const holdToEngine = async (parts: Parts): Promise<HeldEngine> => {
  const { configuration, logger, onAnotherEngine } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  let first: Connection | undefined = await begin(parts, (client) => settleEngine(parts, client));

  const hold = async (onProgress: () => void): Promise<Played | undefined> => {
    const connection = first ?? (await begin(parts, shareAgain));
    first = undefined;
    onProgress();
    try {
      return await watch(parts, connection, signal);
    } finally {
      await connection.close();
    }
  };

  const leave = (kept: Played): void => {
    const here = { engine: configuration.engine, demo: configuration.demo };
    const what = 'this installation has another engine by now: this instance ends';
    logger.fatal({ alert: 'another_engine', kept, here }, what);
    onAnotherEngine(what);
  };

  const onTrouble = (error: unknown): void =>
    logger.warn({ err: error }, 'the connection that holds this installation to one engine is made again');
  const living = keepTrying({ signal, mostMs: 500, onTrouble }, hold).then((other) => other && leave(other));
  return {
    stop: async () => {
      stopping.abort();
      await living;
    },
  };
};
