/** What webhooks say: pure functions from a deposit's history to finished bodies. */

export { isWebhookEvent, type WebhookEvent, webhookEvents } from './events.ts';
export { bodyOf } from './payload.ts';
export { samplePayload } from './sample.ts';
export { type Webhook, webhookIdOf, webhooksOf } from './webhooks-of.ts';
