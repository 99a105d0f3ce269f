import type pg from 'pg';
import type { EventLog } from '#event-log';
import { pause } from '#platform/pause';
import { inTransaction } from '#platform/postgres';
import { keyOf, type Projection, type ProjectionId, type ProjectionLogger } from '../projection.ts';
import type { TabledProjection } from '../rebuild/rebuild.ts';
import { requestRebuild } from '../rebuild/rebuild-row.ts';
import { liveTables } from '../rebuild/table-names.ts';
import { readCheckpoint } from '../runner/checkpoint.ts';
import { isHeldAgain, mayBeBroughtBack } from '../runner/held-again.ts';
import { type RunnerStatus, type RunningProjection, startProjection } from '../runner/start-projection.ts';
import { projectionStatus } from '../runner/status.ts';

const LOOK_EVERY_MS = 500;

const LOOK_AT_LOG_EVERY_MS = 5_000;

export type KeepingParts = {
  readonly log: EventLog;
  readonly pool: pg.Pool;
  readonly logger: ProjectionLogger;
  readonly batchSize?: number | undefined;
  /** How often one that has stopped beside another log looks whether its own is there again. */
  readonly lookAtLogEveryMs?: number | undefined;
};

export type Kept = { readonly status: () => Promise<RunnerStatus>; readonly stop: () => Promise<void> };

/** Never beside the switch that ends such a rebuild: asked for a moment later it would be a second one. */
const askForRebuild = ({ pool }: KeepingParts, id: ProjectionId): Promise<boolean> =>
  inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      "SELECT FROM projection_checkpoints WHERE name = $1 AND version < $2 AND state <> 'retired' FOR SHARE",
      [id.name, id.version],
    );
    return rowCount !== 0 && requestRebuild(client, id, { again: false });
  });

/**
 * The tables hold the rows of one version. Whoever brings a newer one has them filled beside, while the older one
 * serves; whoever still runs an older one has to wait for an operator to ask for that.
 */
const ownsTables = async (parts: KeepingParts, id: ProjectionId): Promise<boolean> => {
  const { rows } = await parts.pool.query<{ version: number }>(
    "SELECT version FROM projection_checkpoints WHERE name = $1 AND state <> 'retired'",
    [id.name],
  );
  const versions = rows.map(({ version }) => version);
  if (versions.length === 0 || versions.includes(id.version)) return true;
  if (versions.every((version) => version < id.version)) await askForRebuild(parts, id);
  return false;
};

/** Whoever stopped it, here or elsewhere: nobody but an operator ends what an event has stopped. */
const mayGoOn = (
  { log, pool, lookAtLogEveryMs = LOOK_AT_LOG_EVERY_MS }: KeepingParts,
  projection: Pick<Projection, 'name' | 'version' | 'filter'>,
): (() => Promise<boolean>) => {
  let lookedAt = performance.now();
  return async () => {
    const checkpoint = await readCheckpoint(pool, projection);
    if (checkpoint.state !== 'stopped') return true;
    if (!checkpoint.failure?.anotherLog || performance.now() < lookedAt + lookAtLogEveryMs) return false;
    lookedAt = performance.now();
    return (await isHeldAgain(log, pool, checkpoint)) || mayBeBroughtBack(log, pool, projection, checkpoint);
  };
};

/** Looks until it is so; a database that does not answer is asked again. */
const until = async (
  isSo: () => Promise<boolean>,
  { logger }: KeepingParts,
  id: ProjectionId,
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    const so = await isSo().catch((error: unknown) => {
      logger.warn({ projection: id.name, err: error }, `projection ${keyOf(id)} cannot be looked up`);
      return false;
    });
    if (so) return;
    await pause(LOOK_EVERY_MS, signal);
  }
};

const IDLE = { role: 'starting', owner: false, eventsApplied: 0, retries: 0, trouble: undefined } as const;

/**
 * Runs a projection for good: once poison has stopped it, from the moment that a rebuild has brought it past; once another
 * log has, from the moment that its own is there again.
 */
export const keepLive = ({ projection, tables }: TabledProjection, parts: KeepingParts): Kept => {
  const { log, pool, logger, batchSize } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: RunningProjection | undefined;

  const keep = async (): Promise<void> => {
    await until(() => ownsTables(parts, projection), parts, projection, signal);
    while (!signal.aborted) {
      running = startProjection({
        ...{ projection, log, pool, logger, tableNames: liveTables(tables) },
        ...(batchSize !== undefined && { batchSize }),
      });
      await running.ended;
      await until(mayGoOn(parts, projection), parts, projection, signal);
    }
  };

  const kept = keep();
  return {
    status: async () =>
      running ? running.status() : { ...(await projectionStatus({ projection, log, pool })), ...IDLE },
    stop: async () => {
      stopping.abort();
      await running?.stop();
      await kept;
    },
  };
};
