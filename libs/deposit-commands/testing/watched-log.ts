import type { EventLog } from '#event-log';

export type Watched = {
  readonly log: EventLog;
  /** Whole streams that were read at the same time, at the most, since it was asked last. */
  readonly mostAtOnce: () => number;
  /** Events of whole streams that were given since it was asked last. */
  readonly given: () => number;
};

/** The same log, which tells what is read of it. */
export const watchedLog = (log: EventLog): Watched => {
  let [underWay, most, given] = [0, 0, 0];

  async function* whole(stream: string) {
    underWay += 1;
    most = Math.max(most, underWay);
    try {
      for await (const event of log.read(stream)) {
        given += 1;
        yield event;
      }
    } finally {
      underWay -= 1;
    }
  }

  return {
    log: { ...log, read: (stream, options) => (options ? log.read(stream, options) : whole(stream)) },
    mostAtOnce: () => {
      const told = most;
      most = underWay;
      return told;
    },
    given: () => {
      const told = given;
      given = 0;
      return told;
    },
  };
};
