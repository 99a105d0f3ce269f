import { describe } from '@jest/globals';
import type { Service } from '../harness/index.ts';
import { webhookDelivery } from './webhook-delivery.ts';
import { webhookEvents } from './webhook-events.ts';
import { webhookPayloads } from './webhook-payloads.ts';
import { webhookRetries } from './webhook-retries.ts';
import { webhookSecrets } from './webhook-secrets.ts';

/** The attempts that fail are made first and judged last: the cases in between take their waiting time. */
export const webhooks = (service: Service): void => {
  const judgeRetries = webhookRetries(service);
  describe('deliveries', () => webhookDelivery(service));
  describe('events', () => webhookEvents(service));
  describe('payloads', () => webhookPayloads(service));
  describe('secrets', () => webhookSecrets(service));
  describe('retries', judgeRetries);
};
