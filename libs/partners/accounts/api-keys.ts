import { type Refused, refused } from '#deposits';
import { listPage, type Page, type Paged, type Queryable, type Told, told } from '#platform/postgres';
import type { Secrets } from '#platform/secrets';
import { createKeyHash } from '../authentication/key-hash.ts';
import type { KeyMode, KeyScope, KeyStatus } from '../authentication/key-record.ts';
import { keyText, makeSecret } from '../authentication/key-text.ts';
import { holdAffiliate } from './affiliates.ts';
import { type AccountOutcome, type AccountRefusal, changed, notFound, written } from './outcome.ts';
import { changeRow, insertRow } from './rows.ts';
import {
  lockWebhook,
  madeSecret,
  noWebhook,
  type WebhookSent,
  type WebhookShown,
  webhookChange,
  webhookShown,
} from './webhook-settings.ts';

export type ApiKeyChanges = {
  readonly name?: string | null | undefined;
  readonly status?: KeyStatus | undefined;
  readonly expires_at?: Date | null | undefined;
  readonly webhook?: WebhookSent | null | undefined;
};

export type ApiKeySent = Omit<ApiKeyChanges, 'status'> & {
  readonly affiliate_id: number;
  readonly entity_id?: number | null | undefined;
  readonly mode?: KeyMode | undefined;
  readonly scope?: KeyScope | undefined;
};

type Row = {
  readonly id: number;
  readonly affiliate_id: number | null;
  readonly entity_id: number | null;
  readonly name: string | null;
  readonly mode: KeyMode;
  readonly scope: KeyScope;
  readonly status: KeyStatus;
  readonly expires_at: Date | null;
  readonly webhook_url: string | null;
  readonly signed: boolean;
  readonly created_at: Date;
};

export type ApiKeyItem = Omit<Told<Row>, 'webhook_url' | 'signed'> & { readonly webhook: WebhookShown | null };

/** `key` and `webhook_secret` are shown here and never again. */
export type ApiKeyAnswer = ApiKeyItem & { readonly key?: string; readonly webhook_secret?: string };

const SELECT = `
  SELECT t.id, t.affiliate_id, t.entity_id, t.name, t.mode, t.scope, t.status, t.expires_at, t.webhook_url,
         t.webhook_secret IS NOT NULL AS signed, t.created_at
  FROM api_keys t`;

const itemOf = ({ webhook_url, signed, ...row }: Row): ApiKeyItem => ({
  ...told(row),
  webhook: webhookShown(webhook_url, signed),
});

export const apiKeyItem = async (db: Queryable, id: number): Promise<ApiKeyItem | undefined> => {
  const { rows } = await db.query<Row>(`${SELECT} WHERE t.id = $1`, [id]);
  return rows[0] && itemOf(rows[0]);
};

export const listApiKeys = (
  db: Queryable,
  { affiliateId, ...page }: Page & { readonly affiliateId?: number | undefined },
): Promise<Paged<ApiKeyItem>> =>
  listPage<Row, ApiKeyItem>(db, {
    ...page,
    select: SELECT,
    key: 't.id',
    where: { affiliate_id: affiliateId },
    item: itemOf,
  });

type Owners = Pick<ApiKeySent, 'affiliate_id' | 'entity_id'>;

const wrongOwners = async (
  db: Queryable,
  { affiliate_id, entity_id }: Owners,
): Promise<Refused<AccountRefusal> | undefined> => {
  if (!(await holdAffiliate(db, affiliate_id))) return notFound('affiliate');
  if (typeof entity_id !== 'number') return undefined;
  const { rows } = await db.query<{ affiliate_id: number }>('SELECT affiliate_id FROM entities WHERE id = $1', [
    entity_id,
  ]);
  if (!rows[0]) return notFound('entity');
  return rows[0].affiliate_id === affiliate_id ? undefined : refused({ refusal: 'entity_of_another' });
};

export const addApiKey = async (
  db: Queryable,
  secrets: Secrets,
  actor: string,
  sent: ApiKeySent,
): Promise<AccountOutcome<ApiKeyAnswer>> => {
  const wrong = await wrongOwners(db, sent);
  if (wrong) return wrong;
  const { affiliate_id, entity_id, name, mode, scope, expires_at } = sent;
  const secret = makeSecret();
  const webhook = webhookChange(secrets, sent.webhook, noWebhook);
  if (webhook.outcome) return webhook;
  const hash = createKeyHash(secrets)(secret);
  const id = await insertRow(db, actor, 'api_keys', {
    ...{ affiliate_id, entity_id, name, mode, scope, expires_at, hash },
    ...webhook.columns,
  });
  return changed({ ...(await written(apiKeyItem(db, id))), key: keyText(id, secret), ...madeSecret(webhook) });
};

/** For ever: whoever has the key may be anybody. */
const isRevoked = async (db: Queryable, id: number): Promise<boolean> => {
  const { rowCount } = await db.query("SELECT FROM api_keys WHERE id = $1 AND status = 'revoked'", [id]);
  return rowCount === 1;
};

export const changeApiKey = async (
  db: Queryable,
  secrets: Secrets,
  actor: string,
  { id, sent }: { readonly id: number; readonly sent: ApiKeyChanges },
): Promise<AccountOutcome<ApiKeyAnswer>> => {
  const { name, status, expires_at } = sent;
  const stored = await lockWebhook(db, 'api_keys', id);
  if (!stored) return notFound('api_key');
  if (status !== undefined && status !== 'revoked' && (await isRevoked(db, id)))
    return refused({ refusal: 'key_is_revoked' });
  const webhook = webhookChange(secrets, sent.webhook, stored);
  if (webhook.outcome) return webhook;
  await changeRow(db, actor, { table: 'api_keys', id }, { name, status, expires_at, ...webhook.columns });
  return changed({ ...(await written(apiKeyItem(db, id))), ...madeSecret(webhook) });
};
