import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { type Repeated, repeat } from '#platform/repeat';
import { keyOf } from '../projection.ts';
import { pauseBefore } from '../runner/backoff.ts';
import { isRefusal, messageOf } from '../runner/database-errors.ts';
import { failureOf, isFinal } from '../runner/failure.ts';
import type { ProjectionLogger } from '../runner/logger.ts';
import { becomeOwner, openSession, rebuildLock, type Session } from '../runner/session.ts';
import { inTransaction } from './in-transaction.ts';
import { dropTables, NotRebuildable } from './make-tables.ts';
import { type RebuildGround, rebuild } from './rebuild.ts';
import { markFailed, type RebuildRow, readRebuilds } from './rebuild-row.ts';

/** How often every instance looks whether a rebuild was asked for, or was left by an instance that died. */
const LOOK_EVERY_MS = 500;

export type WorkerOptions = {
  readonly pool: pg.Pool;
  /** Those that this instance knows, by name. */
  readonly grounds: ReadonlyMap<string, RebuildGround>;
  readonly logger: ProjectionLogger;
};

/** What would end the same way however often it is tried: the event, the tables or the projection have to change. */
const isHopeless = (error: unknown): boolean => isFinal(error) || isRefusal(error) || error instanceof NotRebuildable;

const giveUp = async (session: Session, { projection, tables, logger }: RebuildGround, error: unknown) => {
  const failure = failureOf(error, new Date());
  await inTransaction(session.client, async () => {
    await dropTables(session.client, tables);
    await markFailed(session.client, projection, failure);
  });
  logger.error(
    { projection: projection.name, version: projection.version, failure, err: error },
    `the rebuild of projection ${keyOf(projection)} has failed: ${messageOf(error)}. The live tables stand as before; ` +
      'correct the projection or its tables and ask for it again',
  );
};

/** The row as it stands once the lock is ours: another instance may have finished in between. */
const rowOf = async (session: Session, name: string): Promise<RebuildRow | undefined> =>
  (await readRebuilds(session.client)).find((row) => row.name === name && row.state !== 'failed');

/** Stands by while another instance rebuilds, and goes on if that one dies. */
const serve = async (pool: pg.Pool, ground: RebuildGround, signal: AbortSignal): Promise<void> => {
  const { projection } = ground;
  const session = await openSession(pool, `projection rebuild ${projection.name}`);
  try {
    if (!(await becomeOwner(session.client, rebuildLock(projection), signal))) return;
    const row = await rowOf(session, projection.name);
    if (!row || row.version > projection.version) return;
    try {
      await rebuild(session.client, ground, row, signal);
    } catch (error) {
      if (!isHopeless(error)) throw error;
      await giveUp(session, ground, error);
    }
  } finally {
    await session.close();
  }
};

const serveUntilDone = async (pool: pg.Pool, ground: RebuildGround, signal: AbortSignal): Promise<void> => {
  for (let attempt = 0; !signal.aborted; attempt++) {
    try {
      return await serve(pool, ground, signal);
    } catch (error) {
      const pauseMs = pauseBefore(attempt);
      ground.logger.warn({ projection: ground.projection.name, err: error, pauseMs }, 'a rebuild tries again');
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
};

/** Every instance has one; of all of them one at a time rebuilds a projection. */
export const startRebuildWorker = ({ pool, grounds, logger }: WorkerOptions): Repeated => {
  const busy = new Map<string, Promise<void>>();

  const look = async (stopping: AbortSignal): Promise<boolean> => {
    for (const { name, state, version } of await readRebuilds(pool)) {
      const ground = grounds.get(name);
      const isOurs = ground && state !== 'failed' && version <= ground.projection.version && !busy.has(name);
      if (!isOurs || stopping.aborted) continue;
      busy.set(
        name,
        serveUntilDone(pool, ground, stopping).finally(() => busy.delete(name)),
      );
    }
    return false;
  };

  const looking = repeat({
    work: look,
    pollMs: LOOK_EVERY_MS,
    onError: (error) => logger.warn({ err: error }, 'rebuilds cannot be looked up'),
  });
  return {
    wake: looking.wake,
    // The batch under way is waited for; another instance goes on.
    stop: async () => {
      await looking.stop();
      await Promise.all(busy.values());
    },
  };
};
