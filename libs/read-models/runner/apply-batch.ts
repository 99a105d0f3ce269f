import type pg from 'pg';
import type { Batch, Position, RecordedEvent } from '#event-log';
import { inTransactionOver } from '#platform/postgres';
import { reasonOf } from '#platform/reason';
import { type Statement, statementsFor, type TableNames } from '../changes/statements.ts';
import type { Projection } from '../projection.ts';
import { type Move, type MoveCheckpoint, moveCheckpoint } from './checkpoint.ts';
import { isRefusal, RowMissing } from './database-errors.ts';
import { PoisonEvent } from './failure.ts';

export type Target = {
  readonly client: pg.Client;
  readonly projection: Projection;
  readonly tableNames: TableNames | undefined;
  /** Default: the live one. */
  readonly move?: MoveCheckpoint;
};

export const run = async (client: pg.Client, { text, values, mustTouch }: Statement): Promise<void> => {
  const { rowCount } = await client.query(text, [...values]);
  if (mustTouch !== undefined && rowCount !== mustTouch)
    throw new RowMissing(`touched ${rowCount} of ${mustTouch} rows with: ${text}`);
};

/** Rows and checkpoint, both or neither. The fence comes first, so that a stale owner writes nothing at all. */
const commit = (target: Target, move: Move, statements: readonly Statement[]): Promise<void> => {
  const { client, projection, move: moveIt = moveCheckpoint } = target;
  return inTransactionOver(client, async () => {
    await moveIt(client, projection, move);
    for (const statement of statements) await run(client, statement);
  });
};

type Outcome = { readonly applied: true } | { readonly applied: false; readonly cause: unknown };

export const plan = (
  { projection, tableNames }: Pick<Target, 'projection' | 'tableNames'>,
  events: readonly RecordedEvent[],
): readonly Statement[] =>
  statementsFor(
    events.flatMap((event) => projection.project(event)),
    tableNames,
  );

/** What cannot succeed another time is an outcome; what may is thrown. */
const tryToApply = async (target: Target, move: Move, events: readonly RecordedEvent[]): Promise<Outcome> => {
  let statements: readonly Statement[];
  try {
    statements = plan(target, events);
  } catch (cause) {
    return { applied: false, cause };
  }
  try {
    await commit(target, move, statements);
    return { applied: true };
  } catch (cause) {
    if (isRefusal(cause)) return { applied: false, cause };
    throw cause;
  }
};

export type Progress = {
  /** Told after every commit. */
  readonly onMoved: (position: Position, events: number) => void;
  /** A batch that was refused as a whole and taken event by event: right, but slow. */
  readonly onTakenOneByOne: (reason: string) => void;
};

const applyOneByOne = async (
  target: Target,
  from: Position | undefined,
  { events, position }: Batch,
  { onMoved }: Progress,
): Promise<void> => {
  let place = from;
  for (const event of events) {
    const outcome = await tryToApply(target, { from: place, to: event.position, events: 1 }, [event]);
    if (!outcome.applied) throw new PoisonEvent(target.projection, event, outcome.cause);
    place = event.position;
    onMoved(place, 1);
  }
  if (place === position) return;
  await commit(target, { from: place, to: position, events: 0 }, []);
  onMoved(position, 0);
};

/** Applies a batch behind `from`. A refused one is taken event by event: those before the poison count, it is named. */
export const applyBatch = async (
  target: Target,
  from: Position | undefined,
  batch: Batch,
  progress: Progress,
): Promise<void> => {
  if (batch.position === from) return;
  const outcome = await tryToApply(target, { from, to: batch.position, events: batch.events.length }, batch.events);
  if (outcome.applied) {
    progress.onMoved(batch.position, batch.events.length);
    return;
  }
  if (batch.events.length === 0) throw outcome.cause;
  await applyOneByOne(target, from, batch, progress);
  progress.onTakenOneByOne(reasonOf(outcome.cause));
};
