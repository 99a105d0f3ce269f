import type { BusMessage } from '#bus';
import { type DepositWebhook, isWebhookEvent, type LegacyWebhook, type Webhook } from '../payloads/index.ts';

/** Finished payloads of deposits' and transactions' events, keyed by deposit or transaction. */
export const DEPOSIT_EVENTS = 'deposit-events';

/** Of those who store them for sending. */
export const NOTIFIERS = 'notifier';

export const messageOf = (webhook: Webhook): BusMessage => ({
  id: webhook.webhookId,
  key: 'depositId' in webhook ? String(webhook.depositId) : `transaction ${webhook.transactionId}`,
  value: JSON.stringify(webhook),
});

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type Fits<Kind> = Readonly<Record<keyof Kind, (value: unknown) => boolean>>;

const finished = {
  webhookId: (value: unknown) => typeof value === 'string' && UUID.test(value),
  event: isWebhookEvent,
  body: (value: unknown) => typeof value === 'string',
  recordedAt: (value: unknown) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
};

const ofDeposit: Fits<DepositWebhook> = {
  ...finished,
  depositId: Number.isSafeInteger,
  entityId: Number.isSafeInteger,
};

const ofTransaction: Fits<LegacyWebhook> = {
  ...finished,
  transactionId: Number.isSafeInteger,
  affiliateId: Number.isSafeInteger,
};

const fits = (value: object, fields: Fits<DepositWebhook> | Fits<LegacyWebhook>): boolean =>
  Object.entries(fields).every(([field, isFit]) => isFit(Reflect.get(value, field)));

const isWebhook = (value: unknown): value is Webhook =>
  typeof value === 'object' && value !== null && (fits(value, ofDeposit) || fits(value, ofTransaction));

/** Undefined for what is none of ours: it can never be handled, so it must not hold up what comes behind it. */
export const webhookIn = ({ value }: Pick<BusMessage, 'value'>): Webhook | undefined => {
  try {
    const parsed: unknown = JSON.parse(value);
    return isWebhook(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
};
