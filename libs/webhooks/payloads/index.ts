/** What webhooks say: pure functions from a deposit's history to finished bodies. */

export { isWebhookEvent, type WebhookEvent, webhookEvents } from './events.ts';
export { legacyWebhooksOf } from './legacy-webhooks.ts';
export { bodyOf } from './payload.ts';
export { samplePayload } from './sample.ts';
export { type DepositWebhook, type LegacyWebhook, type Webhook, webhookIdOf } from './webhook.ts';
export { type CasinoTold, webhooksOf } from './webhooks-of.ts';
