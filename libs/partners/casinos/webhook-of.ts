import type { Queryable } from '#platform/postgres';
import type { Secrets } from '#platform/secrets';
import { COVERING_WEBHOOK } from './covering-webhook.ts';

/** What the secret of a webhook is sealed for. */
export const WEBHOOK_SECRET = 'webhook secret';

/** Where the events of a casino go, and what signs them. */
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
  readonly api_key_id: number | null;
  readonly secret: Buffer | null;
  readonly previous: readonly SealedSecret[];
};

const TARGET = `
  SELECT w.url, w.source, w.api_key_id, w.secret, w.previous
  FROM entities e CROSS JOIN LATERAL ${COVERING_WEBHOOK} w WHERE e.id = $1`;

/** Undefined: nothing is sent. */
export const findWebhook = async (
  db: Queryable,
  secrets: Secrets,
  entityId: number,
): Promise<WebhookTarget | undefined> => {
  const { rows } = await db.query<Row>({ name: 'webhook_of_casino', text: TARGET, values: [entityId] });
  const [row] = rows;
  if (!row) return undefined;
  const open = (sealed: Buffer): string => secrets.open(WEBHOOK_SECRET, sealed);
  return {
    url: row.url,
    secret: row.secret && open(row.secret),
    previousSecrets: row.previous.map(({ sealed, until }) => ({
      secret: open(Buffer.from(sealed, 'hex')),
      until: new Date(until),
    })),
    source: row.source,
    apiKeyId: row.api_key_id,
  };
};
