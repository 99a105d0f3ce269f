import { type EventLog, lackForGood, tellOwnLogBack } from '#event-log';
import { keyOf, type ProjectionId, type ProjectionLogger } from '../projection.ts';
import { type Checkpoint, endFailure, type Queryable } from './checkpoint.ts';
import { RowsAhead } from './failure.ts';
import { isHeldAgain } from './held-again.ts';

type Parts = {
  readonly log: Pick<EventLog, 'end' | 'holds' | 'misses' | 'readAll'>;
  readonly logger: Pick<ProjectionLogger, 'error'>;
};

/** Rows of events that the log does not hold are of another log, or of one that lost them: nothing may build on them. */
export const checkNotAhead = async (
  { log, logger }: Parts,
  db: Queryable,
  projection: ProjectionId,
  checkpoint: Checkpoint,
): Promise<void> => {
  const { failure } = checkpoint;
  if (failure?.anotherLog) {
    if (!(await isHeldAgain(log, db, checkpoint))) throw new RowsAhead(failure.reason);
    // Not with the next rows: until those come lists would be refused.
    if (await endFailure(db, projection, checkpoint))
      tellOwnLogBack(logger, { projection: projection.name }, failure.at);
    return;
  }
  const lack = await lackForGood(log, checkpoint);
  if (lack === undefined) return;
  throw new RowsAhead(
    `projection ${keyOf(projection)} ${lack}: it is another log, or one that was put back or emptied; ` +
      '`cointill audit ahead` shows by how much',
  );
};
