import type pg from 'pg';
import type { BusMessage } from '#bus';
import type { Logger } from '#platform/logging';
import { makeDeliveries, type Targets, webhookIn } from '#webhooks';
import type { RelayMetrics } from './metrics.ts';

export type PastParts = {
  readonly pool: pg.Pool;
  readonly settings: Targets;
  readonly logger: Logger;
  readonly metrics?: RelayMetrics;
};

/** A webhook that is too large for the bus is stored for sending at once: it is owed all the same, and holds up nobody. */
export const pastTheBus =
  ({ pool, settings, logger, metrics }: PastParts) =>
  async (message: BusMessage): Promise<void> => {
    const webhook = webhookIn(message);
    if (webhook) await makeDeliveries(pool, settings, [webhook]);
    metrics?.pastTheBus();
    logger.error(
      { alert: 'webhook_past_the_bus', webhook_id: message.id, key: message.key, bytes: message.value.length },
      'a webhook is larger than what the bus takes and goes out past it: see what makes it so large',
    );
  };
