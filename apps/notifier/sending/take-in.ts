import type { ConsumeOptions } from '#bus';
import type { Logger } from '#platform/logging';
import { together } from '#platform/together';
import { type Webhook, webhookIn } from '#webhooks';

export type TakeInParts = {
  readonly logger: Logger;
  readonly make: (webhooks: readonly Webhook[]) => Promise<unknown>;
};

/** Two at once: while one waits for the disk, the next is on its way. */
const LANES = 2;

/** Batches of partitions that come at the same moment share a statement; one that cannot be stored spoils no other. */
const makeTogether = (make: TakeInParts['make']) =>
  together<readonly Webhook[], unknown>(
    async (batches) => {
      try {
        const made = await make(batches.flat());
        return batches.map(() => made);
      } catch (error) {
        if (batches.length === 1) throw error;
        return batches.map(make);
      }
    },
    { lanes: LANES },
  );

/** Stores a batch of the bus and is done with it: sending is a matter of the scheduler alone. */
export const takeIn = ({ logger, make }: TakeInParts): ConsumeOptions['onBatch'] => {
  const makeShared = makeTogether(make);
  return async (messages) => {
    const webhooks: Webhook[] = [];
    for (const message of messages) {
      const webhook = webhookIn(message);
      if (webhook) webhooks.push(webhook);
      else logger.error({ message_id: message.id }, 'a message of the bus is no webhook and is left out');
    }
    await makeShared(webhooks);
  };
};
