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
  /** The one before, while its overlap lasts. */
  readonly previousSecret: { readonly secret: string; readonly until: Date } | null;
  readonly source: 'entity_override' | 'api_key';
  readonly apiKeyId: number | null;
};

type Row = Pick<WebhookTarget, 'url' | 'source'> & {
  readonly api_key_id: number | null;
  readonly secret: Buffer | null;
  readonly previous: Buffer | null;
  readonly previous_until: Date | null;
  readonly overlapping: boolean;
};

const TARGET = `
  SELECT w.url, w.source, w.api_key_id, w.secret, w.previous, w.previous_until,
         coalesce(w.previous_until > now(), false) AS overlapping
  FROM entities e CROSS JOIN LATERAL ${COVERING_WEBHOOK} w WHERE e.id = $1`;

const previousOf = (open: (sealed: Buffer) => string, row: Row): WebhookTarget['previousSecret'] =>
  row.overlapping && row.previous && row.previous_until
    ? { secret: open(row.previous), until: row.previous_until }
    : null;

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
    previousSecret: previousOf(open, row),
    source: row.source,
    apiKeyId: row.api_key_id,
  };
};
