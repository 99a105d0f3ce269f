import type { BusMessage } from '#bus';
import { isWebhookEvent, type Webhook } from '../payloads/index.ts';

/** Finished payloads of deposits' events, keyed by deposit. */
export const DEPOSIT_EVENTS = 'deposit-events';

export const messageOf = (webhook: Webhook): BusMessage => ({
  id: webhook.webhookId,
  key: String(webhook.depositId),
  value: JSON.stringify(webhook),
});

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const fitsField: Readonly<Record<keyof Webhook, (value: unknown) => boolean>> = {
  webhookId: (value) => typeof value === 'string' && UUID.test(value),
  event: isWebhookEvent,
  depositId: Number.isSafeInteger,
  entityId: Number.isSafeInteger,
  body: (value) => typeof value === 'string',
  recordedAt: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
};

const isWebhook = (value: unknown): value is Webhook =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(fitsField).every(([field, fits]) => fits(Reflect.get(value, field)));

/** Undefined for what is none of ours: it can never be handled, so it must not hold up what comes behind it. */
export const webhookIn = ({ value }: Pick<BusMessage, 'value'>): Webhook | undefined => {
  try {
    const parsed: unknown = JSON.parse(value);
    return isWebhook(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
};
