import { setTimeout as later } from 'node:timers/promises';
import type { EventLog, EventMark } from './port.ts';
import type { Position } from './position.ts';

/** A node of a cluster may lag behind for a moment: only what is found so often in a row is so. */
const LOOKS = 10;
const PAUSE_MS = 300;

/** Found whenever it is looked for, as often as it takes to be sure of it. */
const alwaysSo = async <T>(look: () => Promise<T | undefined>): Promise<T | undefined> => {
  for (let times = 1; ; times++) {
    const found = await look();
    if (found === undefined || times === LOOKS) return found;
    await later(PAUSE_MS);
  }
};

export type Standing = {
  readonly position: Position | undefined;
  /** The last event that was taken, where that is known. */
  readonly last: EventMark | undefined;
};

const missing = ({ revision, stream, position }: EventMark): string =>
  `has taken revision ${revision} of stream ${stream}, and the log does not hold it at ${position}`;

/**
 * What the log lacks of that; undefined where it is whole. Where it ends says it for a while only: a log that was put
 * back is soon as long again, if by nothing else than by what the server writes of itself.
 */
export const lackOf = async (
  log: Pick<EventLog, 'end' | 'misses'>,
  { position, last }: Standing,
): Promise<string | undefined> => {
  if (position === undefined) return undefined;
  const end = await log.end();
  if (end === undefined || end < position)
    return `stands at ${position}, and the log ends at ${end ?? 'its beginning'}`;
  if (last === undefined || !(await log.misses(last))) return undefined;
  return missing(last);
};

/** The same, where it stays so. */
export const lackForGood = (log: Pick<EventLog, 'end' | 'misses'>, standing: Standing): Promise<string | undefined> =>
  alwaysSo(() => lackOf(log, standing));

/** Of what was given last alone, for whoever follows. */
export const missedForGood = (
  log: Pick<EventLog, 'misses'>,
  last: EventMark | undefined,
): Promise<string | undefined> =>
  alwaysSo(async () => (last !== undefined && (await log.misses(last)) ? missing(last) : undefined));
