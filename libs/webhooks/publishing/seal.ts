import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '#platform/secrets';
import type { Webhook } from '../payloads/index.ts';

/** Brokers may be shared with an engine and others: by its seal a message is known as one of this service. */
export type WebhookSeal = {
  readonly of: (webhook: Webhook) => string;
  readonly isOn: (webhook: Webhook, seal: unknown) => boolean;
};

const subjectOf = (webhook: Webhook): readonly unknown[] =>
  'depositId' in webhook
    ? ['deposit', webhook.depositId, webhook.entityId]
    : ['transaction', webhook.transactionId, webhook.affiliateId];

const textOf = (webhook: Webhook): string => {
  const { webhookId, event, body, recordedAt } = webhook;
  return JSON.stringify([webhookId, event, body, recordedAt, ...subjectOf(webhook)]);
};

export const createWebhookSeal = (secrets: Pick<Secrets, 'derive'>): WebhookSeal => {
  const key = secrets.derive('messages of the bus');
  const sumOf = (webhook: Webhook): Buffer => createHmac('sha256', key).update(textOf(webhook)).digest();
  return {
    of: (webhook) => sumOf(webhook).toString('base64url'),
    isOn: (webhook, seal) => {
      if (typeof seal !== 'string') return false;
      const [given, made] = [Buffer.from(seal, 'base64url'), sumOf(webhook)];
      return given.length === made.length && timingSafeEqual(given, made);
    },
  };
};
