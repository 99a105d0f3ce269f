import type { EventLog, NewEvent } from '#event-log';
import type { Logger } from '#platform/logging';

const alertsIn = ({ data: { alerts } }: NewEvent): readonly unknown[] => (Array.isArray(alerts) ? alerts : []);

/** "Operators are alerted": whatever event says so is told as it is written; history has it for whoever comes later. */
export const tellAlerts = (log: EventLog, logger: Logger): EventLog => ({
  ...log,
  append: async (stream, expected, events) => {
    const appended = await log.append(stream, expected, events);
    for (const event of events)
      for (const alert of alertsIn(event))
        logger.error({ alert, stream, event: event.type }, 'a deposit needs somebody to look at it');
    return appended;
  },
});
