import { tickers } from '#money';
import { listPage, type Page, type Paged, type Queryable, type Told, told } from '#platform/postgres';
import type { AffiliateStatus } from '../authentication/key-record.ts';
import { type AccountOutcome, changed, notFound, written } from './outcome.ts';
import { changeRow, insertRow, lockRow } from './rows.ts';

/** What the older interface shows of an affiliate. */
export type LegacySettings = {
  readonly subdomain: string | null;
  readonly logo: string | null;
  readonly default_coin: string | null;
  readonly cryptos: readonly string[] | null;
};

type Sent<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | undefined };

export type AffiliateFields = Sent<{
  name: string;
  currencies: readonly string[] | null;
  status: AffiliateStatus;
  legacy: Sent<LegacySettings> | null;
}>;

type Row = {
  readonly id: number;
  readonly name: string;
  readonly currencies: readonly string[];
  readonly status: AffiliateStatus;
  readonly legacy: LegacySettings | null;
  readonly created_at: Date;
};

export type AffiliateItem = Told<Row>;

const SELECT = 'SELECT t.id, t.name, t.currencies, t.status, t.legacy, t.created_at FROM affiliates t';

const mergedLegacy = (sent: AffiliateFields['legacy'], stored: LegacySettings | null): string | null | undefined => {
  if (!sent) return sent;
  const none: LegacySettings = { subdomain: null, logo: null, default_coin: null, cryptos: null };
  const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
  return JSON.stringify({ ...none, ...stored, ...given });
};

const columnsOf = ({ name, currencies, status, legacy }: AffiliateFields, stored: LegacySettings | null) => ({
  name,
  currencies: currencies === null ? tickers : currencies,
  status,
  legacy: mergedLegacy(legacy, stored),
});

export const affiliateItem = async (db: Queryable, id: number): Promise<AffiliateItem | undefined> => {
  const { rows } = await db.query<Row>(`${SELECT} WHERE t.id = $1`, [id]);
  return rows[0] && told(rows[0]);
};

export const listAffiliates = (db: Queryable, page: Page): Promise<Paged<AffiliateItem>> =>
  listPage<Row, AffiliateItem>(db, { ...page, select: SELECT, key: 't.id', item: told });

export const addAffiliate = async (db: Queryable, actor: string, sent: AffiliateFields): Promise<AffiliateItem> =>
  written(affiliateItem(db, await insertRow(db, actor, 'affiliates', columnsOf(sent, null))));

export const changeAffiliate = async (
  db: Queryable,
  actor: string,
  id: number,
  sent: AffiliateFields,
): Promise<AccountOutcome<AffiliateItem>> => {
  const stored = await lockRow<{ legacy: LegacySettings | null }>(db, 'affiliates', id, ['legacy']);
  if (!stored) return notFound('affiliate');
  await changeRow(db, actor, { table: 'affiliates', id }, columnsOf(sent, stored.legacy));
  return changed(await written(affiliateItem(db, id)));
};

/** For what is to belong to it: it cannot go away meanwhile. */
export const holdAffiliate = async (db: Queryable, id: number): Promise<boolean> => {
  const { rowCount } = await db.query('SELECT 1 FROM affiliates WHERE id = $1 FOR KEY SHARE', [id]);
  return rowCount === 1;
};
