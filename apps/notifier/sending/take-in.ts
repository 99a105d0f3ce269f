import type { ConsumeOptions } from '#bus';
import type { Logger } from '#platform/logging';
import type { Queryable } from '#platform/postgres';
import { makeDeliveries, type Webhook, type WebhookOf, webhookIn } from '#webhooks';

export type TakeInParts = {
  readonly db: Queryable;
  readonly webhookOf: WebhookOf;
  readonly logger: Logger;
  readonly onMade: () => void;
};

/** Stores a batch of the bus and is done with it: sending is a matter of the scheduler alone. */
export const takeIn =
  ({ db, webhookOf, logger, onMade }: TakeInParts): ConsumeOptions['onBatch'] =>
  async (messages) => {
    const webhooks: Webhook[] = [];
    for (const message of messages) {
      const webhook = webhookIn(message);
      if (webhook) webhooks.push(webhook);
      else logger.error({ message_id: message.id }, 'a message of the bus is no webhook and is left out');
    }
    if ((await makeDeliveries(db, webhookOf, webhooks)) > 0) onMade();
  };
