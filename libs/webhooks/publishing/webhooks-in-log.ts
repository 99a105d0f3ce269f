import { depositStream } from '#deposit-commands';
import { BrokenHistory, type EventLog, type RecordedEvent } from '#event-log';
import { transactionStream } from '#legacy-commands';
import type { CasinoTold, Webhook } from '../payloads/index.ts';
import { webhookIn } from './message.ts';
import { createHistories, messagesOf } from './messages-of.ts';

export type InLogParts = {
  readonly log: Pick<EventLog, 'read'>;
  readonly externalCodeOf: (entityId: number) => Promise<string | null>;
};

const streamOf = (webhook: Webhook): string =>
  'depositId' in webhook ? depositStream(webhook.depositId) : transactionStream(webhook.transactionId);

/** Nobody is told of what stands in a damaged stream. */
const eventsOf = async (log: Pick<EventLog, 'read'>, stream: string): Promise<readonly RecordedEvent[]> => {
  try {
    return await Array.fromAsync(log.read(stream));
  } catch (error) {
    if (error instanceof BrokenHistory) return [];
    throw error;
  }
};

/**
 * The webhooks of these ids as the log itself tells them, whatever a message says of them. For what nothing vouches for
 * but the log: it costs the whole history of a deposit.
 */
export const webhooksInLog = async (
  { log, externalCodeOf }: InLogParts,
  webhooks: readonly Webhook[],
): Promise<ReadonlyMap<string, Webhook>> => {
  const casinoTold: CasinoTold = async (entityId) => ({ externalCode: await externalCodeOf(entityId) });
  const found = new Map<string, Webhook>();
  for (const stream of new Set(webhooks.map(streamOf))) {
    const telling = { log, histories: createHistories(log, 1), casinoTold, onLeftOut: () => undefined };
    for (const message of await messagesOf(await eventsOf(log, stream), telling)) {
      const webhook = webhookIn(message);
      if (webhook) found.set(webhook.webhookId, webhook);
    }
  }
  return found;
};
