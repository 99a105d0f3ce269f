import type { ConsumeOptions } from '#bus';
import type { Logger } from '#platform/logging';
import type { Queryable } from '#platform/postgres';
import { makeDeliveries, type Targets, type Webhook, webhookIn } from '#webhooks';

export type TakeInParts = {
  readonly db: Queryable;
  readonly settings: Targets;
  readonly logger: Logger;
  readonly onMade: () => void;
};

/** Stores a batch of the bus and is done with it: sending is a matter of the scheduler alone. */
export const takeIn =
  ({ db, settings, logger, onMade }: TakeInParts): ConsumeOptions['onBatch'] =>
  async (messages) => {
    const webhooks: Webhook[] = [];
    for (const message of messages) {
      const webhook = webhookIn(message);
      if (webhook) webhooks.push(webhook);
      else logger.error({ message_id: message.id }, 'a message of the bus is no webhook and is left out');
    }
    if ((await makeDeliveries(db, settings, webhooks)) > 0) onMade();
  };
