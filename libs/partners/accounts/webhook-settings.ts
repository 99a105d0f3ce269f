import { type Refused, refused } from '#deposits';
import type { Queryable } from '#platform/postgres';
import { isMaskedUrl, maskedUrl, type Secrets } from '#platform/secrets';
import { makeSecret } from '../authentication/key-text.ts';
import { type SealedSecret, WEBHOOK_SECRET } from '../casinos/webhook-of.ts';
import type { AccountRefusal } from './outcome.ts';
import { type Columns, lockRow } from './rows.ts';

/** As an operator sends it; `signed` false leaves the secret out. */
export type WebhookSent = {
  readonly url: string;
  readonly secret?: string | null | undefined;
  readonly signed?: boolean | undefined;
};

export type WebhookShown = { readonly url: string; readonly signed: boolean };

export type StoredWebhook = {
  readonly webhook_url: string | null;
  readonly webhook_secret: Buffer | null;
  readonly previous_webhook_secrets: readonly SealedSecret[];
};

/** What to write, and the secret to show this once when one was made. */
export type WebhookChange = { readonly outcome?: undefined; readonly columns: Columns; readonly made?: string };

const noSecret: Columns = {
  webhook_secret: null,
  webhook_secret_at: null,
  previous_webhook_secrets: '[]',
};

export const noWebhook: StoredWebhook = { webhook_url: null, webhook_secret: null, previous_webhook_secrets: [] };

const newSecret = (secrets: Secrets, secret: string): Columns => ({
  ...noSecret,
  webhook_secret: secrets.seal(WEBHOOK_SECRET, secret),
  webhook_secret_at: new Date(),
});

/** A webhook that is there already stays as it is signed, or unsigned, unless something else is said. */
const keepsWhatItHas = ({ signed }: WebhookSent, stored: StoredWebhook): boolean =>
  stored.webhook_secret !== null || (stored.webhook_url !== null && signed !== true);

/** "A `webhook` without `secret` keeps the one it has, with one replaces it, null removes both." */
export const webhookChange = (
  secrets: Secrets,
  sent: WebhookSent | null | undefined,
  stored: StoredWebhook,
): WebhookChange | Refused<AccountRefusal> => {
  if (sent === undefined) return { columns: {} };
  if (sent === null) return { columns: { webhook_url: null, ...noSecret } };
  // Sent back as it was shown, it is the one that stands.
  const stands = stored.webhook_url !== null && sent.url === maskedUrl(stored.webhook_url);
  if (!stands && isMaskedUrl(sent.url)) return refused({ refusal: 'webhook_url_is_masked' });
  const url = { webhook_url: stands ? stored.webhook_url : sent.url };
  if (sent.signed === false) return { columns: { ...url, ...noSecret } };
  if (sent.secret) return { columns: { ...url, ...newSecret(secrets, sent.secret) } };
  if (keepsWhatItHas(sent, stored)) return { columns: url };
  const made = makeSecret();
  return { columns: { ...url, ...newSecret(secrets, made) }, made };
};

export const lockWebhook = (
  db: Queryable,
  table: 'entities' | 'api_keys',
  id: number,
): Promise<StoredWebhook | undefined> =>
  lockRow<StoredWebhook>(db, table, id, ['webhook_url', 'webhook_secret', 'previous_webhook_secrets']);

export const webhookShown = (url: string | null, signed: boolean): WebhookShown | null =>
  url === null ? null : { url: maskedUrl(url), signed };

/** Spread into an answer: the secret is there only when one was made. */
export const madeSecret = ({ made }: WebhookChange): { readonly webhook_secret?: string } =>
  made === undefined ? {} : { webhook_secret: made };
