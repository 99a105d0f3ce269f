import type { Queryable } from '#platform/postgres';

export const keyModes = ['live', 'test'] as const;
export const keyScopes = ['admin', 'terminal'] as const;
export const keyStatuses = ['active', 'inactive', 'revoked'] as const;
export const affiliateStatuses = ['enabled', 'disabled', 'archived'] as const;

export type KeyMode = (typeof keyModes)[number];
export type KeyScope = (typeof keyScopes)[number];
export type KeyStatus = (typeof keyStatuses)[number];
export type AffiliateStatus = (typeof affiliateStatuses)[number];

/** What is stored of a key, with what authentication needs of its affiliate. */
export type KeyRecord = {
  readonly id: number;
  readonly affiliateId: number | null;
  readonly entityId: number | null;
  readonly mode: KeyMode;
  readonly scope: KeyScope;
  readonly status: KeyStatus;
  readonly expiresAt: Date | null;
  readonly hash: Buffer;
  readonly affiliate: { readonly status: AffiliateStatus; readonly currencies: readonly string[] } | null;
};

type Row = Omit<KeyRecord, 'affiliate'> & {
  readonly affiliateStatus: AffiliateStatus | null;
  readonly currencies: readonly string[] | null;
};

const SELECT = `
  SELECT k.id, k.affiliate_id AS "affiliateId", k.entity_id AS "entityId", k.mode, k.scope, k.status,
         k.expires_at AS "expiresAt", k.hash, a.status AS "affiliateStatus", a.currencies
  FROM api_keys k LEFT JOIN affiliates a ON a.id = k.affiliate_id`;

const recordOf = ({ affiliateStatus, currencies, ...key }: Row): KeyRecord => ({
  ...key,
  affiliate: affiliateStatus === null ? null : { status: affiliateStatus, currencies: currencies ?? [] },
});

const firstOf = async (db: Queryable, name: string, where: string, value: number | Buffer) => {
  const { rows } = await db.query<Row>({ name, text: `${SELECT} WHERE ${where}`, values: [value] });
  return rows[0] && recordOf(rows[0]);
};

/** Where keys are kept. */
export type KeyStore = {
  readonly byId: (id: number) => Promise<KeyRecord | undefined>;
  readonly byHash: (hash: Buffer) => Promise<KeyRecord | undefined>;
};

export const keyStore = (db: Queryable): KeyStore => ({
  byId: async (id) => (Number.isSafeInteger(id) ? firstOf(db, 'api_key_by_id', 'k.id = $1', id) : undefined),
  byHash: (hash) => firstOf(db, 'api_key_by_hash', 'k.hash = $1', hash),
});
