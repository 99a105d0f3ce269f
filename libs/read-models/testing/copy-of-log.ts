import type { EventLog, EventMark, Position } from '#event-log';

export type Copy = {
  /** Undefined: the own log stands there. */
  readonly end: () => Position | undefined;
  readonly lacks: (event: Pick<EventMark, 'position' | 'revision' | 'stream'>) => boolean;
};

/** A log in whose place a copy stands at times. Who follows it has not noticed that yet. */
export const withCopy = (log: EventLog, { end, lacks }: Copy): EventLog => ({
  ...log,
  end: async () => end() ?? log.end(),
  misses: async (mark) => lacks(mark) || log.misses(mark),
  read: async function* (...asked) {
    for await (const event of log.read(...asked)) if (!lacks(event)) yield event;
  },
  readAll: async function* (asked) {
    for await (const event of log.readAll(asked)) if (!lacks(event)) yield event;
  },
});
