import type { ConsumeOptions, Delivered } from '#bus';
import type { EventLog } from '#event-log';
import { readMessage, type Webhook, type WebhookSeal, webhooksInLog } from '#webhooks';
import { makeTogether, type TakeInParts } from './make-together.ts';

/** What says whether a message is one of this service. */
export type Origin = {
  readonly seal: Pick<WebhookSeal, 'isOn'>;
  /** Where what has no good seal has to stand: it may be of the release before, or sealed by the key before. */
  readonly log: Pick<EventLog, 'read'>;
  readonly casino: (entityId: number) => Promise<{ readonly externalCode: string | null } | undefined>;
};

type Read = { readonly message: Delivered; readonly webhook: Webhook | undefined; readonly isSealed: boolean };

/** The webhooks of this service alone, as it tells them, in their order. */
const ownIn = async (
  messages: readonly Delivered[],
  { seal, log, casino, logger }: Origin & Pick<TakeInParts, 'logger'>,
): Promise<readonly Webhook[]> => {
  const reads = messages.map((message): Read => {
    const read = readMessage(message);
    return { message, webhook: read?.webhook, isSealed: read !== undefined && seal.isOn(read.webhook, read.seal) };
  });
  const unsealed = reads.flatMap(({ webhook, isSealed }) => (webhook && !isSealed ? [webhook] : []));
  const externalCodeOf = async (entityId: number) => (await casino(entityId))?.externalCode ?? null;
  const inLog = await webhooksInLog({ log, externalCodeOf }, unsealed);
  return reads.flatMap(({ message, webhook, isSealed }) => {
    const own = webhook && (isSealed ? webhook : inLog.get(webhook.webhookId));
    if (own) return [own];
    const { id, partition, offset } = message;
    logger.error(
      { alert: 'webhook_not_ours', message_id: id, partition, offset, event: webhook?.event },
      'a message of the bus is no webhook of this service and is left out: see who may write to the topic, or which other installation uses the brokers without a KAFKA_PREFIX of its own',
    );
    return [];
  });
};

/** Stores a batch of the bus and is done with it: sending is a matter of the scheduler alone. */
export const takeIn = (parts: TakeInParts & { readonly origin: Origin }): ConsumeOptions['onBatch'] => {
  const makeShared = makeTogether(parts);
  return async (messages) => {
    await makeShared(await ownIn(messages, { ...parts.origin, logger: parts.logger }));
  };
};
