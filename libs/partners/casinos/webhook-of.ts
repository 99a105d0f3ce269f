import type { Queryable } from '#platform/postgres';
import { type SealedPlace, type Secrets, WrongSecretsKey } from '#platform/secrets';
import { together } from '#platform/together';
import { COVERING_WEBHOOK } from './covering-webhook.ts';

/** What the secret of a webhook is sealed for. */
export const WEBHOOK_SECRET = 'webhook secret';

/** It is there and does not open: damaged, or sealed for another SECRETS_KEY. Nothing goes out, least of all unsigned. */
export const UNREADABLE = Symbol('a secret that cannot be opened');

/** Where the events of a casino or of an affiliate go, and what signs them. */
export type WebhookTarget = {
  readonly url: string;
  /** Null: deliveries are unsigned. */
  readonly secret: string | null | typeof UNREADABLE;
  /** Those before, the newest first, each valid until its overlap ends; one that cannot be opened is left out. */
  readonly previousSecrets: readonly { readonly secret: string; readonly until: Date }[];
  readonly source: 'entity_override' | 'api_key';
  readonly apiKeyId: number | null;
  /** Whose casino or key it is. */
  readonly affiliateId: number;
};

/** As it is stored: sealed, in hexadecimal. */
export type SealedSecret = { readonly sealed: string; readonly until: string };

type Row = Pick<WebhookTarget, 'url' | 'source'> & {
  readonly nth: string;
  readonly api_key_id: number | null;
  readonly affiliate_id: number;
  readonly secret: Buffer | null;
  readonly previous: readonly SealedSecret[];
};

const OF_CASINO = {
  name: 'webhook_of_casino',
  text: `
    SELECT nth::text, w.url, w.source, w.api_key_id, w.secret, w.previous, e.affiliate_id
    FROM unnest($1::bigint[]) WITH ORDINALITY AS asked (id, nth) JOIN entities e ON e.id = asked.id
    CROSS JOIN LATERAL ${COVERING_WEBHOOK} w`,
} as const;

/** "They go to the URL of an active affiliate-wide key." */
const OF_AFFILIATE = {
  name: 'webhook_of_affiliate',
  text: `
    SELECT nth::text, key.* FROM unnest($1::bigint[]) WITH ORDINALITY AS asked (id, nth) CROSS JOIN LATERAL (
      SELECT k.webhook_url AS url, 'api_key' AS source, k.id AS api_key_id, k.webhook_secret AS secret,
             k.previous_webhook_secrets AS previous, k.affiliate_id
      FROM api_keys k
      WHERE k.affiliate_id = asked.id AND k.entity_id IS NULL AND k.webhook_url IS NOT NULL
        AND k.status = 'active' AND (k.expires_at IS NULL OR k.expires_at > now())
      ORDER BY k.id LIMIT 1
    ) AS key`,
} as const;

type Question = typeof OF_CASINO | typeof OF_AFFILIATE;

const plainOf = (secrets: Secrets, sealed: Buffer): string | typeof UNREADABLE => {
  try {
    return secrets.open(WEBHOOK_SECRET, sealed);
  } catch {
    return UNREADABLE;
  }
};

type Opened = { readonly target: WebhookTarget; readonly whole: boolean };

const opened = (secrets: Secrets, row: Row): Opened => {
  const secret = row.secret && plainOf(secrets, row.secret);
  const previousSecrets = row.previous.flatMap(({ sealed, until }) => {
    const plain = plainOf(secrets, Buffer.from(sealed, 'hex'));
    return plain === UNREADABLE ? [] : [{ secret: plain, until: new Date(until) }];
  });
  const { url, source, api_key_id: apiKeyId, affiliate_id: affiliateId } = row;
  return {
    target: { url, secret, previousSecrets, source, apiKeyId, affiliateId },
    whole: secret !== UNREADABLE && previousSecrets.length === row.previous.length,
  };
};

/** Whoever asks goes on with the others: a secret that does not open is told by the target, and not thrown. */
const open = async (secrets: Secrets, row: Row | undefined): Promise<WebhookTarget | undefined> => {
  if (!row) return undefined;
  const first = opened(secrets, row);
  if (first.whole) return first.target;
  // A rotation may have sealed it with a key that is newer than this process.
  await secrets.refresh().catch((error: unknown) => {
    if (!(error instanceof WrongSecretsKey)) throw error;
  });
  return opened(secrets, row).target;
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
