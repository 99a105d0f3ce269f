import { type EventLog, type EventMark, lackOf } from '#event-log';

/** One by one at first: a stream of its own may be gone, which says nothing of the marks beside it. */
const ONE_BY_ONE = 4;

/**
 * The first of these that the log holds. Those that it lacks come first, as of a log that was put back by days: so of the
 * many marks of a month few have to be asked for, in ever longer steps until one is there, and between the last two then.
 */
export const firstHeld = async (
  log: Pick<EventLog, 'end' | 'misses'>,
  marks: readonly EventMark[],
): Promise<EventMark | undefined> => {
  const holds = async (at: number): Promise<boolean> => {
    const last = marks[at];
    return last !== undefined && (await lackOf(log, { position: last.position, last })) === undefined;
  };
  let [lacked, held, step] = [-1, 0, 1];
  while (!(await holds(held))) {
    if (held >= marks.length - 1) return undefined;
    lacked = held;
    if (held >= ONE_BY_ONE) step *= 2;
    held = Math.min(held + step, marks.length - 1);
  }
  while (held - lacked > 1) {
    const middle = Math.floor((lacked + held) / 2);
    if (await holds(middle)) held = middle;
    else lacked = middle;
  }
  return marks[held];
};
