import type { Position } from '#event-log';
import type { Logger } from '#platform/logging';
import { isBehind } from './mark.ts';
import type { LeftOut } from './sift.ts';

/** Once, though what stands behind the mark is read with every look. */
export const tellLeftOut = (logger: Pick<Logger, 'error'>): ((events: readonly LeftOut[]) => void) => {
  let toldTo: Position | undefined;
  return (events) => {
    const [first, ...more] = events.filter(({ position }) => isBehind(toldTo, position));
    if (!first) return;
    toldTo = (more.at(-1) ?? first).position;
    const { stream, revision, type, problem } = first;
    logger.error(
      { alert: 'event_not_counted', stream, revision, type, problem, more: more.length },
      'of an event that cannot be right no number and no address is counted as given',
    );
  };
};
