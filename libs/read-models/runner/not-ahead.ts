import { setTimeout as later } from 'node:timers/promises';
import { BrokenHistory, type EventLog } from '#event-log';
import { keyOf, type ProjectionId } from '../projection.ts';
import type { Checkpoint } from './checkpoint.ts';

/** A node of a cluster may lag behind for a moment: only what is found so often in a row is so. */
const LOOKS = 10;
const PAUSE_MS = 300;

type Log = Pick<EventLog, 'end' | 'misses'>;
type Standing = Pick<Checkpoint, 'position' | 'last'>;

/**
 * What the log lacks of that; undefined where it is whole. Where it ends says it for a while only: a log that was put
 * back is soon as long again, if by nothing else than by what the server writes of itself.
 */
export const lackOf = async (log: Log, { position, last }: Standing): Promise<string | undefined> => {
  if (position === undefined) return undefined;
  const end = await log.end();
  if (end === undefined || end < position)
    return `stands at ${position}, and the log ends at ${end ?? 'its beginning'}`;
  if (last === undefined || !(await log.misses(last))) return undefined;
  return `has taken revision ${last.revision} of stream ${last.stream}, and the log does not hold it at ${last.position}`;
};

/** Rows of events that the log does not hold are of another log, or of one that lost them: nothing may build on them. */
export const checkNotAhead = async (log: Log, projection: ProjectionId, standing: Standing): Promise<void> => {
  let lack: string | undefined;
  for (let look = 0; look < LOOKS; look++) {
    lack = await lackOf(log, standing);
    if (lack === undefined) return;
    await later(PAUSE_MS);
  }
  throw new BrokenHistory(
    `projection ${keyOf(projection)} ${lack}: it is another log, or one that was put back or emptied; ` +
      '`cointill audit ahead` shows by how much',
  );
};
