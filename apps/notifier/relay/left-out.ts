import { AnotherLog, type EventLog, type EventMark, lackForGood, type RecordedEvent } from '#event-log';
import type { Logger } from '#platform/logging';
import type { RelayMetrics } from './metrics.ts';

type Parts = {
  readonly log: Pick<EventLog, 'end' | 'misses'>;
  readonly logger: Logger;
  readonly metrics?: RelayMetrics;
};

/**
 * What the log must still hold, if it is the one that was read: of whole streams, as far as this batch knows, and of the
 * others.
 */
const witnesses = (
  events: readonly RecordedEvent[],
  leftOut: readonly RecordedEvent[],
  carried: EventMark | undefined,
): readonly EventMark[] => {
  const damaged = new Set(leftOut.map(({ stream }) => stream));
  const whole = events.findLast(({ stream }) => !damaged.has(stream));
  return [carried, whole, leftOut.at(-1)].filter((each) => each !== undefined);
};

/**
 * The events of a batch of which nobody is told, since their streams are not as they were written. A log that was exchanged
 * while the batch was made out shows less of any stream too: before they are passed over for good it is asked whether it
 * holds what else was read and carried.
 */
export const noteLeftOut = ({ log, logger, metrics }: Parts) => {
  const leftOut: RecordedEvent[] = [];
  return {
    note: (event: RecordedEvent): void => void leftOut.push(event),
    /** Throws `AnotherLog`, of which nothing may be carried. */
    tell: async (events: readonly RecordedEvent[], carried: EventMark | undefined): Promise<void> => {
      if (leftOut.length === 0) return;
      for (const last of witnesses(events, leftOut, carried)) {
        const lack = await lackForGood(log, { position: last.position, last });
        if (lack !== undefined) throw new AnotherLog(lack);
      }
      // Its stream is alarmed by whoever reads it; this says who was not told.
      for (const { stream, revision, type } of leftOut) {
        metrics?.leftOut();
        const fields = { alert: 'webhook_left_out', stream, revision, type };
        logger.error(fields, 'nobody is told of an event of a damaged stream');
      }
    },
  };
};
