import type { EventFilter, EventLog } from './port.ts';
import type { Position } from './position.ts';

export type Reader = {
  /** What it has taken last; undefined: nothing yet. */
  readonly position: Position | undefined;
  readonly filter?: EventFilter | undefined;
};

/** When the oldest event was recorded that a reader has still before it; undefined: there is none. */
export const oldestBehind = async (
  log: Pick<EventLog, 'readAll'>,
  { position, filter }: Reader,
): Promise<Date | undefined> => {
  const from = { ...(position !== undefined && { after: position }), ...(filter && { filter }) };
  for await (const event of log.readAll({ ...from, limit: 1 })) return event.recordedAt;
  return undefined;
};
