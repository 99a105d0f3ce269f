/** The guarded way out to partners' endpoints. */
export {
  type Attempted,
  createWebhookClient,
  TIME_LIMIT_MS,
  type WebhookClient,
  type WebhookClientOptions,
} from './client.ts';

export { isPublicAddress } from './public-address.ts';
