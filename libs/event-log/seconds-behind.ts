import type { EventFilter, EventLog } from './port.ts';
import type { Position } from './position.ts';

export type Reader = {
  /** What it has taken last; undefined: nothing yet. */
  readonly position: Position | undefined;
  readonly filter?: EventFilter | undefined;
};

/** Age of the oldest event that a reader has still before it; undefined: there is none. */
export const secondsBehind = async (
  log: Pick<EventLog, 'readAll'>,
  { position, filter }: Reader,
  now: () => Date = () => new Date(),
): Promise<number | undefined> => {
  const from = { ...(position !== undefined && { after: position }), ...(filter && { filter }) };
  // Two machines' clocks may differ: a lag is never less than nothing.
  for await (const { recordedAt } of log.readAll({ ...from, limit: 1, asStored: true }))
    return Math.max(0, now().getTime() - recordedAt.getTime()) / 1_000;
  return undefined;
};
