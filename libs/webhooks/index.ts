/** Webhooks: from the log's events to the partner's endpoint. */
import { migrationsBeside } from '#platform/migrations';

export * from './delivery/index.ts';
export * from './payloads/index.ts';
export * from './publishing/index.ts';
export * from './safe-http/index.ts';
export { isSendable, knownOrAsked, type Targets, UNREADABLE, type WebhookOf, type WebhookTarget } from './target.ts';
export * from './test-button/index.ts';
export * from './verify/index.ts';

export const migrations = migrationsBeside(import.meta.url, 'webhooks');
