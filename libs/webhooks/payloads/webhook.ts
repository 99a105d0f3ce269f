import { uuidOf } from '#platform/uuid';
import type { WebhookEvent } from './events.ts';

/** A finished webhook, but for where it goes. */
type Finished = {
  readonly webhookId: string;
  readonly event: WebhookEvent;
  readonly body: string;
  /** When the log took the event: from here on a delivery's latency counts. */
  readonly recordedAt: string;
};

/** Of a deposit: it goes to its casino. */
export type DepositWebhook = Finished & { readonly depositId: number; readonly entityId: number };

/** Of a transaction of the older interface: it goes to its affiliate. */
export type LegacyWebhook = Finished & { readonly transactionId: number; readonly affiliateId: number };

export type Webhook = DepositWebhook | LegacyWebhook;

/** The same however often the log is read. */
export const webhookIdOf = (eventId: string, event: WebhookEvent, recordedAt: Date): string =>
  uuidOf(`webhook ${eventId} ${event}`, recordedAt);
