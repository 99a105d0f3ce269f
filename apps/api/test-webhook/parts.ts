import type pg from 'pg';
import type { Partners } from '#partners';
import type { WebhookClient } from '#webhooks';

export type TestWebhookParts = {
  readonly partners: Pick<Partners, 'authenticate' | 'casinoFor' | 'webhookOf'>;
  /** Where the calls are counted, for all instances. */
  readonly db: pg.Pool;
  /** The one that real deliveries use. */
  readonly client: Pick<WebhookClient, 'post'>;
  readonly now?: () => Date;
};

export const TEST_WEBHOOK = Symbol('test webhook');
