import { refused } from '#deposits';
import type { Queryable } from '#platform/postgres';
import type { Secrets } from '#platform/secrets';
import type { KeyMode } from '../authentication/key-record.ts';
import type { CasinoStatus } from '../casinos/casino.ts';
import { holdAffiliate } from './affiliates.ts';
import { type LimitsSent, limitsColumns, limitWarnings } from './amount-limits.ts';
import { type EntityItem, entityItem } from './entity-item.ts';
import { feeWarnings } from './fee-warnings.ts';
import { type CapsSent, capsColumns } from './instant-caps.ts';
import { type AccountOutcome, changed, notFound, written } from './outcome.ts';
import { type Columns, changeRow, insertRow, lockRow } from './rows.ts';
import { madeSecret, noWebhook, type StoredWebhook, type WebhookSent, webhookChange } from './webhook-settings.ts';

export type EntityFields = LimitsSent & {
  readonly affiliate_id?: number | undefined;
  readonly name?: string | undefined;
  readonly external_code?: string | null | undefined;
  readonly status?: CasinoStatus | undefined;
  readonly mode?: KeyMode | undefined;
  readonly no_conf_allowed?: boolean | undefined;
  readonly instant_allowed?: boolean | undefined;
  readonly instant_caps?: CapsSent | null | undefined;
  readonly fees?: readonly unknown[] | null | undefined;
  readonly webhook?: WebhookSent | null | undefined;
};

/** `webhook_secret` only when one was made: it is shown here and never again. */
export type EntityAnswer = EntityItem & { readonly webhook_secret?: string; readonly warnings: readonly string[] };

const columnsOf = (sent: EntityFields): Columns => ({
  name: sent.name,
  external_code: sent.external_code,
  status: sent.status,
  mode: sent.mode,
  no_conf_allowed: sent.no_conf_allowed,
  instant_allowed: sent.instant_allowed,
  ...capsColumns(sent.instant_caps),
  ...limitsColumns(sent),
  fees: sent.fees && JSON.stringify(sent.fees),
});

const answer = async (
  db: Queryable,
  id: number,
  secret: { readonly webhook_secret?: string },
): Promise<AccountOutcome<EntityAnswer>> => {
  const item = await written(entityItem(db, id));
  return changed({ ...item, ...secret, warnings: [...feeWarnings(item.fees), ...limitWarnings(item)] });
};

export const addEntity = async (
  db: Queryable,
  secrets: Secrets,
  actor: string,
  sent: EntityFields & { readonly affiliate_id: number },
): Promise<AccountOutcome<EntityAnswer>> => {
  if (!(await holdAffiliate(db, sent.affiliate_id))) return notFound('affiliate');
  const webhook = webhookChange(secrets, sent.webhook, noWebhook);
  if (webhook.outcome) return webhook;
  const columns = { affiliate_id: sent.affiliate_id, ...columnsOf(sent), ...webhook.columns };
  return answer(db, await insertRow(db, actor, 'entities', columns), madeSecret(webhook));
};

type Stored = StoredWebhook & { readonly affiliate_id: number };

export const changeEntity = async (
  db: Queryable,
  secrets: Secrets,
  actor: string,
  { id, sent }: { readonly id: number; readonly sent: EntityFields },
): Promise<AccountOutcome<EntityAnswer>> => {
  const stored = await lockRow<Stored>(db, 'entities', id, ['affiliate_id', 'webhook_url', 'webhook_secret']);
  if (!stored) return notFound('entity');
  // Its deposits belong to its affiliate for ever.
  if (sent.affiliate_id !== undefined && sent.affiliate_id !== stored.affiliate_id)
    return refused({ refusal: 'entity_cannot_move' });
  const webhook = webhookChange(secrets, sent.webhook, stored);
  if (webhook.outcome) return webhook;
  await changeRow(db, actor, { table: 'entities', id }, { ...columnsOf(sent), ...webhook.columns });
  return answer(db, id, madeSecret(webhook));
};
