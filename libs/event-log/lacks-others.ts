import { AnotherLog } from './errors.ts';
import { lackForGood, type Standing } from './lack-of.ts';
import type { EventFilter, EventLog, EventMark, ReadAllOptions } from './port.ts';
import type { Position } from './position.ts';

type Log = Pick<EventLog, 'end' | 'holds' | 'readAll'>;

/** Events, or pages of them. */
type ReadBehind = { readonly readAll: (options: ReadAllOptions) => AsyncIterable<unknown> };

type Behind = Pick<EventLog, 'end' | 'misses'> & ReadBehind;

/** Whoever would stand within a record of the log would be stopped again at once. */
export const canGoOnBehind = async (log: ReadBehind, after: Position): Promise<boolean> => {
  try {
    for await (const _ of log.readAll({ after, limit: 1, asStored: true })) return true;
    return true;
  } catch (error) {
    if (error instanceof AnotherLog) return false;
    throw error;
  }
};

/** What the log lacks of that for whoever reads on there: as long a one as any, in which nobody can, is another one. */
export const lackToReadOn = async (log: Behind, standing: Standing): Promise<string | undefined> => {
  const lack = await lackForGood(log, standing);
  const { position } = standing;
  if (lack !== undefined || position === undefined || (await canGoOnBehind(log, position))) return lack;
  return `stands at ${position}, where no record of the log begins`;
};

/** What stands behind the event that was taken last, up to where it stands, was passed over as damage, or taken since. */
const isNothingBetween = async (
  log: Log,
  filter: EventFilter | undefined,
  after: Position | undefined,
  upTo: Position,
): Promise<boolean> => {
  const behind = { ...(after !== undefined && { after }), ...(filter && { filter }) };
  for await (const { position } of log.readAll({ ...behind, limit: 1, asStored: true })) return position > upTo;
  return true;
};

/** It stands before that place, and the log has come as far as it. */
const isInside = async (log: Log, last: EventMark, upTo: Position): Promise<boolean> => {
  const end = await log.end();
  if (end === undefined || end < last.position || last.position >= upTo) return false;
  return (await log.holds(last)) && canGoOnBehind(log, last.position);
};

/**
 * Whether the log lacks of that place nothing but what the server and others wrote: it ends before it, or has other
 * records there, and holds the last event that was taken, if any ever was. What comes next is written before that place, so
 * nobody may stay there.
 */
export const lacksOnlyOthers = async (
  log: Log,
  { position, last }: Standing,
  filter: EventFilter | undefined,
): Promise<boolean> => {
  if (position === undefined || (last && !(await isInside(log, last, position)))) return false;
  return isNothingBetween(log, filter, last?.position, position);
};
