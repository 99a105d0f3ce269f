/** What webhooks say: pure functions from a deposit's history to finished bodies. */
export { dueWebhooks } from './due.ts';
export { isWebhookEvent, type WebhookEvent, webhookEvents } from './events.ts';
export { bodyOf, payloadOf } from './payload.ts';
export { samplePayload } from './sample.ts';
export { type RecordedFact, type Webhook, webhookIdOf, webhooksOf } from './webhooks-of.ts';
