import type { Logger } from '#platform/logging';
import { isOfOneRow } from '#platform/postgres';
import { together } from '#platform/together';
import type { Webhook } from '#webhooks';

export type TakeInParts = {
  readonly logger: Logger;
  readonly make: (webhooks: readonly Webhook[]) => Promise<unknown>;
};

/** Two at once: while one waits for the disk, the next is on its way. */
const LANES = 2;

/** What no row can hold could never be taken, and is left out; whatever else fails comes again with its batch. */
const makeEach =
  ({ logger, make }: TakeInParts) =>
  async (webhook: Webhook): Promise<void> => {
    try {
      await make([webhook]);
    } catch (error) {
      if (!isOfOneRow(error)) throw error;
      const { webhookId, event } = webhook;
      logger.error(
        { alert: 'webhook_not_taken', err: error, webhook_id: webhookId, event },
        'a webhook cannot be stored and is left out',
      );
    }
  };

/** Batches of partitions that come at the same moment share a statement; one that cannot be stored spoils no other. */
export const makeTogether = (parts: TakeInParts) => {
  const { make } = parts;
  const makeBatch = async (webhooks: readonly Webhook[]): Promise<void> => {
    try {
      await make(webhooks);
    } catch (error) {
      if (!isOfOneRow(error)) throw error;
      await Promise.all(webhooks.map(makeEach(parts)));
    }
  };
  return together<readonly Webhook[], void>(
    async (batches) => {
      try {
        await make(batches.flat());
        return batches.map(() => undefined);
      } catch (error) {
        if (batches.length === 1 && !isOfOneRow(error)) throw error;
        return batches.map(makeBatch);
      }
    },
    { lanes: LANES },
  );
};
