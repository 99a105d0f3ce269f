import type pg from 'pg';
import type { EventLog, Position } from '#event-log';
import { whenAborted } from '#platform/pause';
import type { TableNames } from '../changes/statements.ts';
import type { Projection, ProjectionLogger } from '../projection.ts';
import { createAnnouncer } from './announcer.ts';
import { applyBatch } from './apply-batch.ts';
import { makeCheckpoint, readCheckpoint } from './checkpoint.ts';
import { checkNotAhead } from './not-ahead.ts';

export type RunnerParts = {
  readonly projection: Projection;
  readonly log: EventLog;
  readonly pool: pg.Pool;
  readonly logger: ProjectionLogger;
  readonly batchSize: number | undefined;
  readonly tableNames: TableNames | undefined;
};

/** Applies what the log gives, over the connection that owns the projection, until that is over. */
export const own = async (
  { projection, log, pool, logger, batchSize, tableNames }: RunnerParts,
  client: pg.Client,
  over: AbortSignal,
  onApplied: (events: number) => void,
): Promise<void> => {
  await makeCheckpoint(client, projection);
  let { position } = await readCheckpoint(client, projection);
  await checkNotAhead(log, projection, position);
  const announcer = await createAnnouncer(pool, client, projection);
  announcer.moved(position);
  const target = { client, projection, tableNames };
  const progress = {
    onMoved: (to: Position, events: number) => {
      position = to;
      announcer.moved(to);
      onApplied(events);
    },
    onTakenOneByOne: (reason: string) =>
      logger.warn({ projection: projection.name, reason }, 'a batch was refused as a whole and taken event by event'),
  };
  const subscription = log.subscribe({
    ...(position !== undefined && { after: position }),
    ...(projection.filter && { filter: projection.filter }),
    ...(batchSize !== undefined && { batchSize }),
    onBatch: (batch) => applyBatch(target, position, batch, progress),
  });
  try {
    await Promise.race([subscription.done, whenAborted(over)]);
  } finally {
    announcer.disowned();
    await subscription.stop();
  }
};
