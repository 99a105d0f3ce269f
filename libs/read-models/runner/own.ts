import type pg from 'pg';
import type { EventLog, Position } from '#event-log';
import { pause, whenAborted } from '#platform/pause';
import type { TableNames } from '../changes/statements.ts';
import { openProver } from '../damage/prover.ts';
import { tellDamage } from '../damage/tell.ts';
import type { Projection, ProjectionLogger } from '../projection.ts';
import { createAnnouncer } from './announcer.ts';
import { applyBatch, type Place, prepare, store, type Target } from './apply-batch.ts';
import { makeCheckpoint, readCheckpoint } from './checkpoint.ts';
import { checkNotAhead } from './not-ahead.ts';
import { readSkips } from './skips.ts';
import { createTakeUp } from './take-up.ts';

export type RunnerParts = {
  readonly projection: Projection;
  readonly log: EventLog;
  readonly pool: pg.Pool;
  readonly logger: ProjectionLogger;
  readonly batchSize: number | undefined;
  readonly tableNames: TableNames | undefined;
};

/** How long the checkpoint may lag behind what is shown, where no row follows. */
const STORED_WITHIN_MS = 250;

/** How soon a stream that is whole again is seen to be so. */
const TAKE_UP_EVERY_MS = 5_000;

/** Applies what the log gives, over the connection that owns the projection, until that is over. */
export const own = async (
  { projection, log, pool, logger, batchSize, tableNames }: RunnerParts,
  client: pg.Client,
  over: AbortSignal,
  onApplied: (events: number) => void,
): Promise<void> => {
  await makeCheckpoint(client, projection);
  const read = await readCheckpoint(client, projection);
  const { position, last, isBehindLast, switches } = await checkNotAhead({ log, logger }, client, projection, read);
  const announcer = await createAnnouncer(pool, client, projection);
  announcer.moved(position);
  const damageOf = { name: projection.name, rebuild: false };
  const prover = await openProver({ projection, log, pool, tableNames, of: damageOf }, client);
  const skips = await readSkips(client, projection.name);
  const target: Target = { client, projection, tableNames, skips, switches, prover, damageOf };
  const progress = {
    onMoved: (to: Position, events: number) => {
      announcer.moved(to);
      onApplied(events);
    },
    onTakenOneByOne: (reason: string) =>
      logger.warn({ projection: projection.name, reason }, 'a batch was refused as a whole and taken event by event'),
  };
  let place: Place = { stored: position, shown: position, passed: 0 };
  let turn: Promise<unknown> = Promise.resolve();
  /** Batches and stored places take turns on the one connection. */
  const inTurn = (work: (place: Place) => Promise<Place>): Promise<void> => {
    const done = turn
      .then(() => work(place))
      .then((reached) => {
        place = reached;
      });
    turn = done.catch(() => undefined);
    return done;
  };
  const subscription = log.subscribe({
    ...(position !== undefined && { after: position }),
    ...(last && { last }),
    onlyBehindLast: isBehindLast,
    ...(projection.filter && { filter: projection.filter }),
    ...(batchSize !== undefined && { batchSize }),
    ...(projection.everyMs !== undefined && { everyMs: projection.everyMs }),
    ...(projection.proves && { prove: [projection.proves.prefix] }),
    onBatch: (batch) =>
      inTurn(async () => {
        const prepared = await prepare(target, batch);
        const reached = await applyBatch(target, place, prepared, progress);
        tellDamage(logger, projection, prepared.found);
        return reached;
      }),
  });
  const stopping = new AbortController();
  const storing = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await pause(STORED_WITHIN_MS, stopping.signal);
      await inTurn(() => store(target, place));
    }
  };
  const takeUp = createTakeUp({ target, log, logger }, inTurn);
  const takingUp = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await pause(TAKE_UP_EVERY_MS, stopping.signal);
      if (!stopping.signal.aborted) await takeUp(stopping.signal);
    }
  };
  const beside = Promise.all([storing(), takingUp()]);
  try {
    await Promise.race([subscription.done, beside, whenAborted(over)]);
  } finally {
    announcer.disowned();
    await subscription.stop();
    stopping.abort();
    await beside.catch(() => undefined);
  }
};
