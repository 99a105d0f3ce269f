import type { Queryable } from '#platform/postgres';
import type { Webhook } from '../payloads/index.ts';
import { type Targets, targetOf, type WebhookTarget } from '../target.ts';

/** Whose setting it is: two of them may have the same URL, and one keeps its name when its URL changes. */
const endpointOf = (webhook: Webhook, { source, apiKeyId }: WebhookTarget): string =>
  source === 'entity_override' && 'entityId' in webhook ? `entity ${webhook.entityId}` : `api key ${apiKeyId}`;

const nameOf = (webhook: Webhook): string =>
  'entityId' in webhook ? `entity ${webhook.entityId}` : `affiliate ${webhook.affiliateId}`;

const targetsOf = async (webhooks: readonly Webhook[], targets: Targets) => {
  const byName = new Map(webhooks.map((webhook) => [nameOf(webhook), webhook]));
  const asked = [...byName].map(async ([name, webhook]) => [name, await targetOf(targets, webhook)] as const);
  return new Map(await Promise.all(asked));
};

/** Of one family the columns of the other are null. */
const idsOf = (webhook: Webhook) => ({
  depositId: null,
  entityId: null,
  transactionId: null,
  affiliateId: null,
  ...webhook,
});

const columnsOf = (
  rows: readonly { readonly webhook: Webhook; readonly target: WebhookTarget }[],
): readonly unknown[] => {
  const ids = rows.map(({ webhook }) => idsOf(webhook));
  return [
    ids.map(({ webhookId }) => webhookId),
    ids.map(({ event }) => event),
    ids.map(({ depositId }) => depositId),
    ids.map(({ entityId }) => entityId),
    rows.map(({ webhook, target }) => endpointOf(webhook, target)),
    rows.map(({ target }) => target.url),
    ids.map(({ body }) => body),
    ids.map(({ recordedAt }) => recordedAt),
    ids.map(({ transactionId }) => transactionId),
    ids.map(({ affiliateId }) => affiliateId),
  ];
};

const MAKE = `
  WITH given AS (
    SELECT * FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::text[],
                         $8::timestamptz[], $9::bigint[], $10::bigint[])
      AS webhook (webhook_id, event, deposit_id, entity_id, endpoint, url, body, recorded_at, transaction_id,
                  affiliate_id)
  ), made AS (
    INSERT INTO webhook_deliveries
      (webhook_id, event, deposit_id, entity_id, endpoint, url, recorded_at, transaction_id, affiliate_id)
    SELECT webhook_id, event, deposit_id, entity_id, endpoint, url, recorded_at, transaction_id, affiliate_id FROM given
    ON CONFLICT (webhook_id, endpoint) DO NOTHING
    RETURNING id, webhook_id, entity_id, endpoint
  ), kept AS (
    INSERT INTO webhook_bodies (delivery_id, body) SELECT id, body FROM made JOIN given USING (webhook_id)
  )
  INSERT INTO webhooks_undelivered (delivery_id, entity_id, endpoint) SELECT id, entity_id, endpoint FROM made`;

/**
 * Stores what has an endpoint now; the rest is not stored. A webhook that comes again changes nothing. Returns how many
 * are new.
 */
export const makeDeliveries = async (
  db: Queryable,
  settings: Targets,
  webhooks: readonly Webhook[],
): Promise<number> => {
  const targets = await targetsOf(webhooks, settings);
  const once = new Map(webhooks.map((webhook) => [webhook.webhookId, webhook]));
  const rows = [...once.values()].flatMap((webhook) => {
    const target = targets.get(nameOf(webhook));
    return target ? [{ webhook, target }] : [];
  });
  if (rows.length === 0) return 0;
  const { rowCount } = await db.query(MAKE, [...columnsOf(rows)]);
  return rowCount ?? 0;
};
