import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { EventLog } from '#event-log';
import type { TableNames } from '../changes/statements.ts';
import { checkProjection, keyOf, type Projection } from '../projection.ts';
import { pauseBefore } from './backoff.ts';
import { recordFailure } from './checkpoint.ts';
import { messageOf } from './database-errors.ts';
import { type Failure, failureOf, isFinal } from './failure.ts';
import type { ProjectionLogger } from './logger.ts';
import { type Ground, own } from './own.ts';
import { becomeOwner, liveLock, openSession, type Session, sessionName } from './session.ts';
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

type Local = { role: Role; eventsApplied: number; retries: number; attempt: number; trouble: string | undefined };

const stopLoudly = async ({ projection, logger }: Ground, session: Session, error: unknown): Promise<Failure> => {
  const failure = failureOf(error, new Date());
  await recordFailure(session.client, projection, failure);
  logger.error(
    { projection: projection.name, version: projection.version, failure, err: error },
    `projection ${keyOf(projection)} has stopped: ${messageOf(error)}. ` +
      'Rows and checkpoint stand just before it; correct the projection or its tables and start it again',
  );
  return failure;
};

/** One session from its connection to its end: stands by, owns, stops. Throws what may pass. */
const serve = async (ground: Ground, local: Local, signal: AbortSignal): Promise<Failure | undefined> => {
  const session = await openSession(ground.pool, sessionName(ground.projection));
  try {
    local.role = 'standby';
    if (!(await becomeOwner(session.client, liveLock(ground.projection), signal))) return undefined;
    local.role = 'owner';
    ground.logger.info({ projection: ground.projection.name }, `owns projection ${keyOf(ground.projection)}`);
    await own(ground, session, signal, (events) => {
      local.eventsApplied += events;
      local.attempt = 0;
      local.trouble = undefined;
    });
    return undefined;
  } catch (error) {
    if (!isFinal(error)) throw error;
    return await stopLoudly(ground, session, error);
  } finally {
    await session.close();
  }
};

const runUntilStopped = async (ground: Ground, local: Local, signal: AbortSignal): Promise<Failure | undefined> => {
  while (!signal.aborted) {
    try {
      const failure = await serve(ground, local, signal);
      if (failure) return failure;
    } catch (error) {
      const pauseMs = pauseBefore(local.attempt++);
      local.role = 'retrying';
      local.retries++;
      local.trouble = messageOf(error);
      ground.logger.warn({ projection: ground.projection.name, err: error, pauseMs }, 'projection tries again');
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
  return undefined;
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
  const local: Local = { role: 'starting', eventsApplied: 0, retries: 0, attempt: 0, trouble: undefined };
  const ground = { projection, log, pool, logger, batchSize, tableNames };
  const ended = runUntilStopped(ground, local, stopping.signal).finally(() => {
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
