import type pg from 'pg';
import { keepTrying } from '#platform/pause';
import { inTransactionOver, whileOwner } from '#platform/postgres';
import { reasonOf } from '#platform/reason';
import { type Repeated, repeat } from '#platform/repeat';
import { forgetDamage } from '../damage/damage.ts';
import { keyOf, type ProjectionLogger } from '../projection.ts';
import { isRefusal } from '../runner/database-errors.ts';
import { failureOf, isFinal } from '../runner/failure.ts';
import { OWNER_SETTINGS, rebuilderOf } from '../runner/ownership.ts';
import { dropTables, NotRebuildable } from './make-tables.ts';
import { PATIENT } from './patience.ts';
import { type RebuildParts, rebuild } from './rebuild.ts';
import { forgetCancelled, markFailed, type RebuildRow, readRebuilds } from './rebuild-row.ts';

/** How often every instance looks whether a rebuild was asked for, or was left by an instance that died. */
const LOOK_EVERY_MS = 500;

/** One that has failed or is held waits for an operator. */
const isWork = ({ state, held }: RebuildRow): boolean => state !== 'failed' && !held;

export type WorkerOptions = {
  readonly pool: pg.Pool;
  /** Those that this instance knows, by name. */
  readonly partsByName: ReadonlyMap<string, RebuildParts>;
  readonly logger: ProjectionLogger;
};

/** What would end the same way however often it is tried: the event, the tables or the projection have to change. */
const isHopeless = (error: unknown): boolean => isFinal(error) || isRefusal(error) || error instanceof NotRebuildable;

const giveUp = async (client: pg.Client, { projection, tables, logger }: RebuildParts, error: unknown) => {
  const failure = failureOf(error, new Date());
  await inTransactionOver(client, async () => {
    await dropTables(client, tables);
    await forgetDamage(client, { name: projection.name, rebuild: true });
    await markFailed(client, projection, failure);
  });
  logger.error(
    { projection: projection.name, version: projection.version, failure, err: error },
    `the rebuild of projection ${keyOf(projection)} has failed: ${reasonOf(error)}. The live tables stand as before; ` +
      `correct the projection or its tables and ask for it again (cointill projections rebuild ${projection.name})`,
  );
};

/** As if it had never been asked for. */
const cancel = (client: pg.Client, { projection, tables, logger }: RebuildParts): Promise<void> =>
  inTransactionOver(client, async () => {
    await dropTables(client, tables);
    await forgetDamage(client, { name: projection.name, rebuild: true });
    await forgetCancelled(client, projection);
    logger.info({ projection: projection.name }, `the rebuild of projection ${keyOf(projection)} was cancelled`);
  });

/** The row as it stands once the lock is ours: another instance may have finished in between. */
const rowOf = async (client: pg.Client, name: string): Promise<RebuildRow | undefined> =>
  (await readRebuilds(client)).find((row) => row.name === name && isWork(row));

/** Stands by while another instance rebuilds, and goes on if that one dies. */
const serve = (pool: pg.Pool, parts: RebuildParts, signal: AbortSignal): Promise<void> => {
  const { projection, logger } = parts;
  const owner = { name: rebuilderOf(projection), pool, signal, logger, settings: { ...OWNER_SETTINGS, ...PATIENT } };
  return whileOwner(owner, async (client, over) => {
    const row = await rowOf(client, projection.name);
    if (!row || row.version > projection.version) return;
    if (row.mode === 'cancel') return cancel(client, parts);
    try {
      await rebuild(client, parts, row, over);
    } catch (error) {
      if (!isHopeless(error)) throw error;
      await giveUp(client, parts, error);
    }
  });
};

const serveUntilDone = (pool: pg.Pool, parts: RebuildParts, signal: AbortSignal): Promise<void> => {
  const onTrouble = (error: unknown, pauseMs: number): void =>
    parts.logger.warn({ projection: parts.projection.name, reason: reasonOf(error), pauseMs }, 'a rebuild tries again');
  return keepTrying({ signal, onTrouble }, () => serve(pool, parts, signal));
};

/** Every instance has one; of all of them one at a time rebuilds a projection. */
export const startRebuildWorker = ({ pool, partsByName, logger }: WorkerOptions): Repeated => {
  const busy = new Map<string, Promise<void>>();

  const look = async (stopping: AbortSignal): Promise<boolean> => {
    for (const row of await readRebuilds(pool)) {
      const { name, version } = row;
      const parts = partsByName.get(name);
      const isOurs = parts && isWork(row) && version <= parts.projection.version && !busy.has(name);
      if (!isOurs || stopping.aborted) continue;
      busy.set(
        name,
        serveUntilDone(pool, parts, stopping).finally(() => busy.delete(name)),
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
