import type pg from 'pg';
import type { EventLog, Position } from '#event-log';
import type { TableNames } from '../changes/statements.ts';
import type { Projection } from '../projection.ts';
import { createAnnouncer } from './announcer.ts';
import { applyBatch } from './apply-batch.ts';
import { makeCheckpoint, readCheckpoint } from './checkpoint.ts';
import { OwnershipLost } from './database-errors.ts';
import type { ProjectionLogger } from './logger.ts';
import type { Session } from './session.ts';

export type Ground = {
  readonly projection: Projection;
  readonly log: EventLog;
  readonly pool: pg.Pool;
  readonly logger: ProjectionLogger;
  readonly batchSize: number | undefined;
  readonly tableNames: TableNames | undefined;
};

/** `over` takes the listener away again, since one signal sees many sessions come and go. */
const whenAborted = (signal: AbortSignal, over: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true, signal: over });
  });

/** Applies what the log gives for as long as this session owns the projection; returns when told to stop. */
export const own = async (
  { projection, log, pool, logger, batchSize, tableNames }: Ground,
  { client, lost }: Session,
  signal: AbortSignal,
  onApplied: (events: number) => void,
): Promise<void> => {
  await makeCheckpoint(client, projection);
  let { position } = await readCheckpoint(client, projection);
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
  const over = new AbortController();
  try {
    const gone = lost.then(() => {
      throw new OwnershipLost('the connection that holds the lock is gone');
    });
    await Promise.race([subscription.done, gone, whenAborted(signal, over.signal)]);
  } finally {
    over.abort();
    announcer.disowned();
    await subscription.stop();
  }
};
