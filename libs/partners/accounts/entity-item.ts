import { listPage, type Page, type Paged, type Queryable } from '#platform/postgres';
import type { KeyMode } from '../authentication/key-record.ts';
import type { CasinoStatus } from '../casinos/casino.ts';
import { type LimitsRow, type LimitsShown, limitsShown } from './amount-limits.ts';
import { CAPS_COLUMNS, type CapsRow, type CapsShown, capsShown } from './instant-caps.ts';
import { type WebhookShown, webhookShown } from './webhook-settings.ts';

type CasinoName = Pick<EntityItem, 'id' | 'affiliate_id' | 'name' | 'mode' | 'status'>;

/** By which name each number is known, for those who may see no account. */
export const listCasinoNames = (
  db: Queryable,
  { affiliateId, ...page }: Page & { readonly affiliateId?: number | undefined },
): Promise<Paged<CasinoName>> =>
  listPage<CasinoName, CasinoName>(db, {
    ...page,
    select: 'SELECT id, affiliate_id, name, mode, status FROM entities',
    key: 'id',
    where: { affiliate_id: affiliateId },
    item: (row) => row,
  });

export type EntityItem = LimitsShown & {
  readonly id: number;
  readonly affiliate_id: number;
  readonly name: string;
  readonly external_code: string | null;
  readonly status: CasinoStatus;
  readonly mode: KeyMode;
  readonly no_conf_allowed: boolean;
  readonly instant_allowed: boolean;
  readonly instant_caps: CapsShown;
  readonly fees: readonly unknown[] | null;
  readonly webhook: WebhookShown | null;
  readonly created_at: string;
};

type Row = Omit<EntityItem, 'instant_caps' | keyof LimitsShown | 'webhook' | 'created_at'> &
  CapsRow &
  LimitsRow & { readonly webhook_url: string | null; readonly signed: boolean; readonly created_at: Date };

const SELECT = `
  SELECT t.id, t.affiliate_id, t.name, t.external_code, t.status, t.mode, t.no_conf_allowed, t.instant_allowed,
         ${CAPS_COLUMNS}, t.min_usd, t.max_usd, t.fees, t.webhook_url, t.webhook_secret IS NOT NULL AS signed, t.created_at
  FROM entities t`;

const itemOf = (row: Row): EntityItem => ({
  id: row.id,
  affiliate_id: row.affiliate_id,
  name: row.name,
  external_code: row.external_code,
  status: row.status,
  mode: row.mode,
  no_conf_allowed: row.no_conf_allowed,
  instant_allowed: row.instant_allowed,
  instant_caps: capsShown(row),
  ...limitsShown(row),
  fees: row.fees,
  webhook: webhookShown(row.webhook_url, row.signed),
  created_at: row.created_at.toISOString(),
});

export const entityItem = async (db: Queryable, id: number): Promise<EntityItem | undefined> => {
  const { rows } = await db.query<Row>(`${SELECT} WHERE t.id = $1`, [id]);
  return rows[0] && itemOf(rows[0]);
};

export const listEntities = (
  db: Queryable,
  { affiliateId, ...page }: Page & { readonly affiliateId?: number | undefined },
): Promise<Paged<EntityItem>> =>
  listPage<Row, EntityItem>(db, {
    ...page,
    select: SELECT,
    key: 't.id',
    where: { affiliate_id: affiliateId },
    item: itemOf,
  });
