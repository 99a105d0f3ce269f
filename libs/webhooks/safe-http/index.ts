/** The guarded way out to partners' endpoints. */
export {
  type Attempted,
  createWebhookClient,
  type Post,
  TIME_LIMIT_MS,
  type WebhookClient,
  type WebhookClientOptions,
} from './client.ts';
export type { Resolve } from './connector.ts';
export { isPublicAddress } from './public-address.ts';
