import type pg from 'pg';
import type { EventLog } from '#event-log';
import { keepTrying } from '#platform/pause';
import { whileOwner } from '#platform/postgres';
import { reasonOf } from '#platform/reason';
import type { TableNames } from '../changes/statements.ts';
import { checkProjection, keyOf, type Projection, type ProjectionLogger } from '../projection.ts';
import { recordFailure } from './checkpoint.ts';
import { type Failure, failureOf, isFinal } from './failure.ts';
import { withNewest } from './held-again.ts';
import { own, type RunnerParts } from './own.ts';
import { OWNER_SETTINGS, ownerOf } from './ownership.ts';
import { type ProjectionStatus, projectionStatus } from './status.ts';

export type StartOptions = {
  readonly projection: Projection;
  readonly log: EventLog;
  /** Where the rows live. The runner makes one more connection like the pool's and keeps it. */
  readonly pool: pg.Pool;
  readonly logger: ProjectionLogger;
  /** Most events of one transaction; default: the log's. */
  readonly batchSize?: number;
  /** The table of the projection → the one that is written; default: the same. */
  readonly tableNames?: TableNames;
};

/** What an instance does with a projection. */
export type Role = 'starting' | 'standby' | 'owner' | 'retrying' | 'ended';

export type RunnerStatus = ProjectionStatus & {
  readonly role: Role;
  readonly owner: boolean;
  /** By this instance since it started. */
  readonly eventsApplied: number;
  readonly retries: number;
  /** What the last retry was about; gone with the next progress. */
  readonly trouble: string | undefined;
};

export type RunningProjection = {
  /** Rejects while the log or the database does not answer. */
  readonly status: () => Promise<RunnerStatus>;
  /** Settles once this instance has stopped: with what stopped it, or undefined when it was asked to. */
  readonly ended: Promise<Failure | undefined>;
  /** Waits for the batch under way; the projection is free for another instance when it returns. */
  readonly stop: () => Promise<void>;
};

type Local = { role: Role; eventsApplied: number; retries: number; trouble: string | undefined };

const remedyFor = ({ anotherLog }: Failure): string =>
  anotherLog
    ? 'It goes on by itself once the log holds its place again; where that log is gone, rebuild it'
    : 'Rows and checkpoint stand just before it; correct the projection or its tables and start it again';

const stopLoudly = async ({ projection, logger }: RunnerParts, client: pg.Client, error: unknown): Promise<Failure> => {
  const failure = await withNewest(client, projection, failureOf(error, new Date()));
  await recordFailure(client, projection, failure);
  logger.error(
    { projection: projection.name, version: projection.version, failure, err: error },
    `projection ${keyOf(projection)} has stopped: ${reasonOf(error)}. ${remedyFor(failure)}`,
  );
  return failure;
};

/** One connection from its beginning to its end: stands by, owns, stops. Throws what may pass. */
const serve = (
  parts: RunnerParts,
  local: Local,
  signal: AbortSignal,
  onProgress: () => void,
): Promise<Failure | undefined> => {
  const { projection, pool, logger } = parts;
  const onStandby = (): void => {
    local.role = 'standby';
  };
  const onApplied = (events: number): void => {
    local.eventsApplied += events;
    local.trouble = undefined;
    onProgress();
  };
  const owner = {
    name: ownerOf(projection),
    pool,
    signal,
    logger,
    settings: OWNER_SETTINGS,
    pipeline: true,
    onStandby,
  };
  return whileOwner(owner, async (client, over) => {
    local.role = 'owner';
    logger.debug({ projection: projection.name }, `owns projection ${keyOf(projection)}`);
    try {
      await own(parts, client, over, onApplied);
      return undefined;
    } catch (error) {
      if (!isFinal(error)) throw error;
      return stopLoudly(parts, client, error);
    }
  });
};

const runUntilStopped = (parts: RunnerParts, local: Local, signal: AbortSignal): Promise<Failure | undefined> => {
  const onTrouble = (error: unknown, pauseMs: number): void => {
    local.role = 'retrying';
    local.retries++;
    local.trouble = reasonOf(error);
    parts.logger.warn(
      { projection: parts.projection.name, reason: reasonOf(error), pauseMs },
      'projection tries again',
    );
  };
  return keepTrying({ signal, onTrouble }, (onProgress) => serve(parts, local, signal, onProgress));
};

/**
 * Keeps a projection's rows behind the log. Any number of instances may start the same one: one owns it, the others
 * take over when it stops or dies.
 */
export const startProjection = ({
  projection,
  log,
  pool,
  logger,
  batchSize,
  tableNames,
}: StartOptions): RunningProjection => {
  checkProjection(projection);
  const stopping = new AbortController();
  const local: Local = { role: 'starting', eventsApplied: 0, retries: 0, trouble: undefined };
  const parts = { projection, log, pool, logger, batchSize, tableNames };
  const ended = runUntilStopped(parts, local, stopping.signal).finally(() => {
    local.role = 'ended';
  });
  return {
    status: async () => ({
      ...(await projectionStatus({ projection, log, pool })),
      role: local.role,
      owner: local.role === 'owner',
      eventsApplied: local.eventsApplied,
      retries: local.retries,
      trouble: local.trouble,
    }),
    ended,
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
};
