import type { BusMessage } from '#bus';
import type { Webhook } from '../payloads/index.ts';

/** Finished payloads of deposits' events, keyed by deposit. */
export const DEPOSIT_EVENTS = 'deposit-events';

export const messageOf = (webhook: Webhook): BusMessage => ({
  id: webhook.webhookId,
  key: String(webhook.depositId),
  value: JSON.stringify(webhook),
});

const isWebhook = (value: unknown): value is Webhook =>
  typeof value === 'object' &&
  value !== null &&
  'webhookId' in value &&
  'event' in value &&
  'depositId' in value &&
  'entityId' in value &&
  'body' in value &&
  'recordedAt' in value;

/** Undefined for what is none of ours: it can never be handled, so it must not hold up what comes behind it. */
export const webhookIn = ({ value }: Pick<BusMessage, 'value'>): Webhook | undefined => {
  try {
    const parsed: unknown = JSON.parse(value);
    return isWebhook(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
};
