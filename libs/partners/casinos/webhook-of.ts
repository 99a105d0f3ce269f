import type { Queryable } from '#platform/postgres';
import { SealBroken, type SealedPlace, type Secrets } from '#platform/secrets';
import { together } from '#platform/together';
import { COVERING_WEBHOOK } from './covering-webhook.ts';

/** What the secret of a webhook is sealed for. */
export const WEBHOOK_SECRET = 'webhook secret';

/** Where the events of a casino or of an affiliate go, and what signs them. */
export type WebhookTarget = {
  readonly url: string;
  /** Null: deliveries are unsigned. */
  readonly secret: string | null;
  /** Those before, the newest first, each valid until its overlap ends. */
  readonly previousSecrets: readonly { readonly secret: string; readonly until: Date }[];
  readonly source: 'entity_override' | 'api_key';
  readonly apiKeyId: number | null;
};

/** As it is stored: sealed, in hexadecimal. */
export type SealedSecret = { readonly sealed: string; readonly until: string };

type Row = Pick<WebhookTarget, 'url' | 'source'> & {
  readonly nth: string;
  readonly api_key_id: number | null;
  readonly secret: Buffer | null;
  readonly previous: readonly SealedSecret[];
};

const OF_CASINO = {
  name: 'webhook_of_casino',
  text: `
    SELECT nth::text, w.url, w.source, w.api_key_id, w.secret, w.previous
    FROM unnest($1::bigint[]) WITH ORDINALITY AS asked (id, nth) JOIN entities e ON e.id = asked.id
    CROSS JOIN LATERAL ${COVERING_WEBHOOK} w`,
} as const;

/** "They go to the URL of an active affiliate-wide key." */
const OF_AFFILIATE = {
  name: 'webhook_of_affiliate',
  text: `
    SELECT nth::text, key.* FROM unnest($1::bigint[]) WITH ORDINALITY AS asked (id, nth) CROSS JOIN LATERAL (
      SELECT k.webhook_url AS url, 'api_key' AS source, k.id AS api_key_id, k.webhook_secret AS secret,
             k.previous_webhook_secrets AS previous
      FROM api_keys k
      WHERE k.affiliate_id = asked.id AND k.entity_id IS NULL AND k.webhook_url IS NOT NULL
        AND k.status = 'active' AND (k.expires_at IS NULL OR k.expires_at > now())
      ORDER BY k.id LIMIT 1
    ) AS key`,
} as const;

type Question = typeof OF_CASINO | typeof OF_AFFILIATE;

const opened = (secrets: Secrets, row: Row): WebhookTarget => {
  const plain = (sealed: Buffer): string => secrets.open(WEBHOOK_SECRET, sealed);
  return {
    url: row.url,
    secret: row.secret && plain(row.secret),
    previousSecrets: row.previous.map(({ sealed, until }) => ({
      secret: plain(Buffer.from(sealed, 'hex')),
      until: new Date(until),
    })),
    source: row.source,
    apiKeyId: row.api_key_id,
  };
};

const open = async (secrets: Secrets, row: Row | undefined): Promise<WebhookTarget | undefined> => {
  if (!row) return undefined;
  try {
    return opened(secrets, row);
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    // A rotation may have sealed it with a key that is newer than this process.
    await secrets.refresh();
    return opened(secrets, row);
  }
};

/** Undefined: nothing is sent. */
export type FindWebhook = (id: number) => Promise<WebhookTarget | undefined>;

/** Those who ask at the same moment share a statement; a secret that cannot be opened concerns its own alone. */
const targetBy =
  (question: Question) =>
  (db: Queryable, secrets: Secrets): FindWebhook =>
    together<number, WebhookTarget | undefined>(async (ids) => {
      const { rows } = await db.query<Row>({ ...question, values: [ids] });
      const byPlace = new Map(rows.map((row) => [Number(row.nth) - 1, row]));
      return ids.map((_, nth) => open(secrets, byPlace.get(nth)));
    });

const sealed = { id: 'id', purpose: WEBHOOK_SECRET } as const;

export const sealedWebhookSecrets: readonly SealedPlace[] = ['entities', 'api_keys'].flatMap((table) => [
  { ...sealed, table, column: 'webhook_secret' },
  { ...sealed, table, column: 'previous_webhook_secrets', list: true },
]);

export const webhookFinder = targetBy(OF_CASINO);
export const affiliateWebhookFinder = targetBy(OF_AFFILIATE);
