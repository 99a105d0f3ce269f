import { type Refused, refused } from '#deposits';
import type { Queryable } from '#platform/postgres';
import type { LegacySettings } from '../accounts/affiliates.ts';
import { type KeyHash, sameHash } from '../authentication/key-hash.ts';
import type { AffiliateStatus } from '../authentication/key-record.ts';
import type { Shown } from '../authentication/look-ups.ts';
import type { TokenStatus } from '../operators/token-record.ts';

/** Who calls with an access token that may be used now. */
export type AccessToken = {
  readonly id: number;
  readonly familyId: number;
  readonly affiliateId: number;
  /** What the affiliate may use. */
  readonly currencies: readonly string[];
  readonly legacy: LegacySettings | null;
};

export type AccessTokenRecord = AccessToken & {
  readonly hash: Buffer;
  readonly status: TokenStatus;
  readonly expiresAt: Date | null;
  readonly affiliateStatus: AffiliateStatus;
};

const BY_HASH = `
  SELECT t.id, t.family_id AS "familyId", f.affiliate_id AS "affiliateId", a.currencies, a.legacy, t.hash, f.status,
         t.expires_at AS "expiresAt", a.status AS "affiliateStatus"
  FROM access_tokens t JOIN token_families f ON f.id = t.family_id JOIN affiliates a ON a.id = f.affiliate_id
  WHERE t.hash = $1`;

export const accessTokenByHash = async (db: Queryable, hash: Buffer): Promise<AccessTokenRecord | undefined> =>
  (await db.query<AccessTokenRecord>({ name: 'access_token_by_hash', text: BY_HASH, values: [hash] })).rows[0];

export type TokenRefusal = {
  readonly refusal: 'invalid_token' | 'affiliate_disabled' | 'affiliate_archived';
};

export type TokenAuthentication =
  | { readonly outcome: 'authenticated'; readonly token: AccessToken }
  | Refused<TokenRefusal>;

/** Takes what stood in the body, whatever it was, and the address that it came from. */
export type AuthenticateToken = (presented: string, from: string) => Promise<TokenAuthentication>;

export type FindAccessToken = (shown: Shown) => Promise<AccessTokenRecord | undefined>;

const isGood = ({ status, expiresAt }: AccessTokenRecord, now: number): boolean =>
  status === 'active' && (expiresAt === null || expiresAt.getTime() > now);

/** The token, then its affiliate. Why a token is none is not told apart. */
export const createAuthenticateToken =
  (find: FindAccessToken, hash: KeyHash, now: () => number = Date.now): AuthenticateToken =>
  async (presented, from) => {
    const presentedHash = hash(presented);
    const record = await find({ hash: presentedHash, from });
    if (!record || !sameHash(record.hash, presentedHash) || !isGood(record, now()))
      return refused({ refusal: 'invalid_token' });
    const { id, familyId, affiliateId, currencies, legacy, affiliateStatus } = record;
    if (affiliateStatus !== 'enabled') return refused({ refusal: `affiliate_${affiliateStatus}` });
    return { outcome: 'authenticated', token: { id, familyId, affiliateId, currencies, legacy } };
  };
