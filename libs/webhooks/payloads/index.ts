/** What webhooks say: pure functions from a deposit's history to finished bodies. */
export { bodyOf } from './body.ts';
export { dueWebhooks } from './due.ts';
export { isWebhookEvent, type WebhookEvent, webhookEvents } from './events.ts';
export { payloadOf } from './payload.ts';
export { samplePayload } from './sample.ts';
export { webhookIdOf } from './webhook-id.ts';
export { type RecordedFact, type Webhook, webhooksOf } from './webhooks-of.ts';
