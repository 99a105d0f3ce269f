import type { Operator, WebhookShown } from '#partners';
import { urlWithoutQuery } from '#platform/secrets';

/** Who sets webhooks sees them as they were set; an auditor, where they go. */
export const readBy =
  ({ role }: Operator) =>
  <Item extends { readonly webhook: WebhookShown | null }>(item: Item): Item =>
    role === 'admin' || item.webhook === null
      ? item
      : { ...item, webhook: { ...item.webhook, url: urlWithoutQuery(item.webhook.url) } };
