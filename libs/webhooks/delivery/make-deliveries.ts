import type { Queryable } from '#platform/postgres';
import type { Webhook } from '../payloads/index.ts';
import type { WebhookOf, WebhookTarget } from '../target.ts';

/** Whose setting it is: two of them may have the same URL, and one keeps its name when its URL changes. */
const endpointOf = (entityId: number, { source, apiKeyId }: WebhookTarget): string =>
  source === 'entity_override' ? `entity ${entityId}` : `api key ${apiKeyId}`;

const targetsOf = async (webhooks: readonly Webhook[], webhookOf: WebhookOf) => {
  const entityIds = [...new Set(webhooks.map(({ entityId }) => entityId))];
  return new Map(await Promise.all(entityIds.map(async (id) => [id, await webhookOf(id)] as const)));
};

const columnsOf = (rows: readonly (Webhook & { readonly target: WebhookTarget })[]): readonly unknown[] => [
  rows.map(({ webhookId }) => webhookId),
  rows.map(({ event }) => event),
  rows.map(({ depositId }) => depositId),
  rows.map(({ entityId }) => entityId),
  rows.map(({ entityId, target }) => endpointOf(entityId, target)),
  rows.map(({ target }) => target.url),
  rows.map(({ body }) => body),
  rows.map(({ recordedAt }) => recordedAt),
];

const MAKE = `
  WITH given AS (
    SELECT * FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::text[],
                         $8::timestamptz[])
      AS webhook (webhook_id, event, deposit_id, entity_id, endpoint, url, body, recorded_at)
  ), made AS (
    INSERT INTO webhook_deliveries (webhook_id, event, deposit_id, entity_id, endpoint, url, recorded_at)
    SELECT webhook_id, event, deposit_id, entity_id, endpoint, url, recorded_at FROM given
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
  webhookOf: WebhookOf,
  webhooks: readonly Webhook[],
): Promise<number> => {
  const targets = await targetsOf(webhooks, webhookOf);
  const once = new Map(webhooks.map((webhook) => [webhook.webhookId, webhook]));
  const rows = [...once.values()].flatMap((webhook) => {
    const target = targets.get(webhook.entityId);
    return target ? [{ ...webhook, target }] : [];
  });
  if (rows.length === 0) return 0;
  const { rowCount } = await db.query(MAKE, [...columnsOf(rows)]);
  return rowCount ?? 0;
};
