import { BrokenHistory, type EventLog, lackForGood, type Standing } from '#event-log';
import { keyOf, type ProjectionId } from '../projection.ts';

/** Rows of events that the log does not hold are of another log, or of one that lost them: nothing may build on them. */
export const checkNotAhead = async (
  log: Pick<EventLog, 'end' | 'misses'>,
  projection: ProjectionId,
  standing: Standing,
): Promise<void> => {
  const lack = await lackForGood(log, standing);
  if (lack === undefined) return;
  throw new BrokenHistory(
    `projection ${keyOf(projection)} ${lack}: it is another log, or one that was put back or emptied; ` +
      '`cointill audit ahead` shows by how much',
  );
};
