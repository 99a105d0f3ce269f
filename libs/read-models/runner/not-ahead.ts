import { setTimeout as later } from 'node:timers/promises';
import { BrokenHistory, type EventLog, type Position } from '#event-log';
import { keyOf, type ProjectionId } from '../projection.ts';

/** A node of a cluster may lag behind for a moment: only what is found so often in a row is so. */
const LOOKS = 10;
const PAUSE_MS = 300;

/** Rows of events that the log does not hold are of another log, or of one that lost them: nothing may build on them. */
export const checkNotAhead = async (
  log: Pick<EventLog, 'end'>,
  projection: ProjectionId,
  position: Position | undefined,
): Promise<void> => {
  if (position === undefined) return;
  let end: Position | undefined;
  for (let look = 0; look < LOOKS; look++) {
    end = await log.end();
    if (end !== undefined && end >= position) return;
    await later(PAUSE_MS);
  }
  throw new BrokenHistory(
    `projection ${keyOf(projection)} stands at ${position}, and the log ends at ${end ?? 'its beginning'}: ` +
      'it is another log, or one that was put back or emptied; `cointill audit ahead` shows by how much',
  );
};
