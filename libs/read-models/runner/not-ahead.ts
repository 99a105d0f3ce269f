import { type EventLog, lackToReadOn, tellOwnLogBack } from '#event-log';
import { keyOf, type Projection, type ProjectionId, type ProjectionLogger } from '../projection.ts';
import {
  bringBack,
  bringBackAgain,
  type Checkpoint,
  endFailure,
  type Queryable,
  readCheckpoint,
} from './checkpoint.ts';
import { RowsAhead } from './failure.ts';
import { isHeldAgain, mayBeBroughtBack } from './held-again.ts';

type Parts = {
  readonly log: Pick<EventLog, 'end' | 'holds' | 'misses' | 'readAll'>;
  readonly logger: Pick<ProjectionLogger, 'error'>;
};

/** Undefined: the log holds what its rows were made of. */
const lackOf = async (
  { log }: Pick<Parts, 'log'>,
  db: Queryable,
  projection: ProjectionId,
  checkpoint: Checkpoint,
): Promise<string | undefined> => {
  const { failure } = checkpoint;
  if (failure?.anotherLog) return (await isHeldAgain(log, db, checkpoint)) ? undefined : failure.reason;
  const lack = await lackToReadOn(log, checkpoint);
  return (
    lack &&
    `projection ${keyOf(projection)} ${lack}: it is another log, or one that was put back or emptied; ` +
      '`cointill audit ahead` shows by how much'
  );
};

/** For whoever runs none of them: the same of all. */
export const lackOfRows = async (
  log: Parts['log'],
  db: Queryable,
  projections: readonly ProjectionId[],
): Promise<string | undefined> => {
  for (const projection of projections) {
    const checkpoint = await readCheckpoint(db, projection);
    // A newer release has its rows.
    if (checkpoint.state === 'retired') continue;
    const lack = await lackOf({ log }, db, projection, checkpoint);
    if (lack !== undefined) return lack;
  }
  return undefined;
};

type Owned = Pick<Projection, 'name' | 'version' | 'filter'>;

const isBroughtBack = async ({ log }: Parts, db: Queryable, owned: Owned, checkpoint: Checkpoint): Promise<boolean> =>
  (await mayBeBroughtBack(log, db, owned, checkpoint)) && bringBack(db, owned, checkpoint);

/**
 * Where to go on. Rows of events that the log does not hold are of another log, or of one that lost them: nothing may build
 * on them. Where it lacks but what others wrote, it is gone on behind the last of ours; until then nothing is written.
 */
export const checkNotAhead = async (
  parts: Parts,
  db: Queryable,
  projection: Owned,
  checkpoint: Checkpoint,
): Promise<Checkpoint> => {
  const lack = await lackOf(parts, db, projection, checkpoint);
  const isBack = lack !== undefined && (await isBroughtBack(parts, db, projection, checkpoint));
  if (lack !== undefined && !isBack) throw new RowsAhead(lack);
  const { failure } = checkpoint;
  // Not with the next rows: until those come lists would be refused.
  if (failure?.anotherLog && (isBack || (await endFailure(db, projection, checkpoint))))
    tellOwnLogBack(parts.logger, { projection: projection.name }, failure.at);
  if (!isBack && !checkpoint.isBehindLast) return checkpoint;
  if (!isBack) await bringBackAgain(db, projection, checkpoint);
  return { ...checkpoint, position: checkpoint.last?.position, isBehindLast: true };
};
