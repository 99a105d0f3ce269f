import type pg from 'pg';
import type { Bus } from '#bus';
import type { EventLog } from '#event-log';
import type { Logger } from '#platform/logging';
import { goOnToBus } from '#webhooks';

type Parts = {
  readonly log: Pick<EventLog, 'end' | 'misses'>;
  readonly bus: Pick<Bus, 'identity'>;
  readonly logger: Logger;
};

/** Loudly where it is another bus than before: an instance may have been told so by mistake. */
export const carryToBus = async ({ log, bus, logger }: Parts, client: pg.Client): Promise<void> => {
  const now = await bus.identity();
  const moved = await goOnToBus({ log, client }, now);
  if (!moved) return;
  logger.warn(
    { alert: 'bus_changed', ...moved, now },
    'webhooks are carried to another bus than before: those of the hour before the last are carried once more. Where the notifiers ' +
      'had stood still for longer, have more of them carried: cointill deliveries carry-again --since <when they stopped>',
  );
};
