import type { BusMessage } from '#bus';
import { type DepositWebhook, isWebhookEvent, type LegacyWebhook, type Webhook } from '../payloads/index.ts';

/** Finished payloads of deposits' and transactions' events, keyed by deposit or transaction. */
export const DEPOSIT_EVENTS = 'deposit-events';

/** Of those who store them for sending. */
export const NOTIFIERS = 'notifier';

export const messageOf = (webhook: Webhook, seal?: string): BusMessage => ({
  id: webhook.webhookId,
  key: 'depositId' in webhook ? String(webhook.depositId) : `transaction ${webhook.transactionId}`,
  value: JSON.stringify(seal === undefined ? webhook : { ...webhook, seal }),
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

const isOfDeposit = (value: object): value is DepositWebhook => fits(value, ofDeposit);

const isOfTransaction = (value: object): value is LegacyWebhook => fits(value, ofTransaction);

/** With nothing else that may stand beside it, which nobody has vouched for. */
const webhookOf = (value: object): Webhook | undefined => {
  if (isOfDeposit(value)) {
    const { webhookId, event, body, recordedAt, depositId, entityId } = value;
    return { webhookId, event, body, recordedAt, depositId, entityId };
  }
  if (!isOfTransaction(value)) return undefined;
  const { webhookId, event, body, recordedAt, transactionId, affiliateId } = value;
  return { webhookId, event, body, recordedAt, transactionId, affiliateId };
};

export type MessageRead = {
  readonly webhook: Webhook;
  /** Nothing about it is certain; releases of before gave none. */
  readonly seal: unknown;
};

/** Undefined for what is none of ours: it can never be handled, so it must not hold up what comes behind it. */
export const readMessage = ({ value }: Pick<BusMessage, 'value'>): MessageRead | undefined => {
  try {
    const parsed: unknown = JSON.parse(value);
    if (typeof parsed !== 'object' || parsed === null) return undefined;
    const webhook = webhookOf(parsed);
    return webhook && { webhook, seal: 'seal' in parsed ? parsed.seal : undefined };
  } catch {
    return undefined;
  }
};

export const webhookIn = (message: Pick<BusMessage, 'value'>): Webhook | undefined => readMessage(message)?.webhook;
