import { randomUUID } from 'node:crypto';
import { commitUnhurriedIf, type Queryable, textArray } from '#platform/postgres';
import type { Webhook } from '../payloads/index.ts';
import { type Targets, targetOf, type WebhookTarget } from '../target.ts';
import type { Claimed } from './claim.ts';
import type { Room } from './room.ts';

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

type Aimed = { readonly webhook: Webhook; readonly target: WebhookTarget };

const columnsOf = (rows: readonly Aimed[]): readonly unknown[] => {
  const ids = rows.map(({ webhook }) => idsOf(webhook));
  return [
    ids.map(({ webhookId }) => webhookId),
    ids.map(({ event }) => event),
    ids.map(({ depositId }) => depositId),
    ids.map(({ entityId }) => entityId),
    textArray(rows.map(({ webhook, target }) => endpointOf(webhook, target))),
    textArray(rows.map(({ target }) => target.url)),
    textArray(ids.map(({ body }) => body)),
    ids.map(({ recordedAt }) => recordedAt),
    ids.map(({ transactionId }) => transactionId),
    ids.map(({ affiliateId }) => affiliateId),
    rows.map(({ target }) => target.affiliateId),
  ];
};

const MAKE = `
  WITH given AS (
    SELECT * FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::text[],
                         $8::timestamptz[], $9::bigint[], $10::bigint[], $11::bigint[])
      AS webhook (webhook_id, event, deposit_id, entity_id, endpoint, url, body, recorded_at, transaction_id,
                  affiliate_id, owner)
  ), made AS (
    INSERT INTO webhook_deliveries
      (webhook_id, event, deposit_id, entity_id, endpoint, url, recorded_at, transaction_id, affiliate_id, owner)
    SELECT webhook_id, event, deposit_id, entity_id, endpoint, url, recorded_at, transaction_id, affiliate_id, owner
    FROM given
    ON CONFLICT (webhook_id, endpoint) DO NOTHING
    RETURNING id, webhook_id, entity_id, endpoint, owner
  ), kept AS (
    INSERT INTO webhook_bodies (delivery_id, body) SELECT id, body FROM made JOIN given USING (webhook_id)
  ),
  -- As in a claim: held to the end, so that whoever takes over from this life sees all that it had.
  living AS MATERIALIZED (SELECT FROM webhook_lives WHERE life = $12 FOR KEY SHARE),
  -- What is due already has been waiting longer, and is claimed before anything new.
  free AS (
    SELECT known.* FROM unnest($15::text[], $16::int[], $17::int[]) AS known (endpoint, room, of_owner)
    WHERE EXISTS (SELECT FROM living) AND (
      SELECT true FROM webhooks_undelivered u
      WHERE u.due_at IS NOT NULL AND u.endpoint = known.endpoint AND u.due_at <= now() AND u.lease IS NULL LIMIT 1
    ) IS NULL
  ), placed AS (
    SELECT made.*, coalesce(row_number() OVER (PARTITION BY made.endpoint ORDER BY id) <= free.room
                            AND row_number() OVER (PARTITION BY made.owner ORDER BY id) <= free.of_owner, false) AS claimed
    FROM made LEFT JOIN free ON free.endpoint = made.endpoint
  ), waiting AS (
    INSERT INTO webhooks_undelivered (delivery_id, entity_id, endpoint, owner, lease, leased_until, life)
    SELECT id, entity_id, endpoint, owner, CASE WHEN claimed THEN $13::uuid END,
           CASE WHEN claimed THEN now() + $14::int * interval '1 millisecond' END, CASE WHEN claimed THEN $12::uuid END
    FROM placed
  )
  SELECT id, webhook_id AS "webhookId", endpoint, claimed, ${commitUnhurriedIf('$18')} FROM placed`;

/** Whoever makes them takes them too, as far as there is room: what starts at once need not be looked for. */
export type Taker = {
  readonly life: string;
  readonly leaseMs: number;
  /** What may be taken of those that are quick. */
  readonly room: Pick<Room, 'known' | 'parts'>;
};

export type Making = {
  readonly taker?: Taker | undefined;
  /**
   * Their place in the bus is written behind them in the same Postgres: what a crash of the server takes with it comes
   * again, and need not wait for the disk. A place that is kept elsewhere outlives them.
   */
  readonly busIsBeside?: boolean;
};

/** Of those that are told something now: how many more they may have, and how many more their affiliate. */
const freeColumns = (rows: readonly Aimed[], taker: Taker | undefined): readonly unknown[] => {
  const endpoints = [...new Set(rows.map(({ webhook, target }) => endpointOf(webhook, target)))];
  const free = endpoints.flatMap((endpoint) => {
    const known = taker?.room.known.get(endpoint);
    return known ? [{ endpoint, room: known.ahead, ofOwner: taker?.room.parts.get(known.owner)?.quick ?? 0 }] : [];
  });
  return [free.map(({ endpoint }) => endpoint), free.map(({ room }) => room), free.map(({ ofOwner }) => ofOwner)];
};

type Row = { readonly id: number; readonly webhookId: string; readonly endpoint: string; readonly claimed: boolean };

const claimedOf = (
  { id, webhookId, endpoint }: Row,
  { webhook, target }: Aimed,
  held: Pick<Claimed, 'lease' | 'startBy'>,
): Claimed => {
  const { event, entityId, affiliateId, body, recordedAt } = idsOf(webhook);
  const { url, affiliateId: owner } = target;
  const recordedMs = Date.parse(recordedAt);
  return { id, webhookId, event, entityId, affiliateId, endpoint, owner, url, body, failures: 0, recordedMs, ...held };
};

export type MadeDeliveries = {
  /** How many are new. */
  readonly count: number;
  readonly claimed: readonly Claimed[];
};

/** Stores what has an endpoint now; the rest is not stored. A webhook that comes again changes nothing. */
export const makeDeliveries = async (
  db: Queryable,
  settings: Targets,
  webhooks: readonly Webhook[],
  { taker, busIsBeside = false }: Making = {},
): Promise<MadeDeliveries> => {
  const targets = await targetsOf(webhooks, settings);
  const once = new Map(webhooks.map((webhook) => [webhook.webhookId, webhook]));
  const rows = [...once.values()].flatMap((webhook) => {
    const target = targets.get(nameOf(webhook));
    return target ? [{ webhook, target }] : [];
  });
  if (rows.length === 0) return { count: 0, claimed: [] };
  const { life = null, leaseMs = 0 } = taker ?? {};
  const lease = randomUUID();
  const startBy = performance.now() + leaseMs / 2;
  const values = [...columnsOf(rows), life, lease, leaseMs, ...freeColumns(rows, taker), busIsBeside];
  const { rows: made } = await db.query<Row>(MAKE, values);
  const aimed = new Map(rows.map((row) => [row.webhook.webhookId, row]));
  const claimed = made.flatMap((row) => {
    const from = row.claimed && aimed.get(row.webhookId);
    return from ? [claimedOf(row, from, { lease, startBy })] : [];
  });
  return { count: made.length, claimed };
};
