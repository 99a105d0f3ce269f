import type pg from 'pg';
import { type Refused, refused } from '#deposits';
import { inTransaction, type Queryable } from '#platform/postgres';
import { recordChange } from '../accounts/audit.ts';
import type { KeyHash } from '../authentication/key-hash.ts';
import type { AffiliateStatus } from '../authentication/key-record.ts';
import type { TokenRefusal } from './access-token.ts';
import { addPair, type TokenPair } from './token-pair.ts';

export type Refreshed = { readonly outcome: 'applied'; readonly pair: TokenPair } | Refused<TokenRefusal>;

/** A pair that expired before it was issued, as operators may say, is followed by ones that live so long. */
const SHORT_LIFE_S = 3_600;

/** Of many uses at once the row lets one through; the others see the time that it has written. */
const USE = `
  UPDATE refresh_tokens r SET used_at = now()
  FROM token_families f JOIN affiliates a ON a.id = f.affiliate_id
  WHERE r.hash = $1 AND r.used_at IS NULL AND f.id = r.family_id AND f.status = 'active'
  RETURNING f.id AS "familyId", a.status AS "affiliateStatus"`;

type Used = { readonly familyId: number; readonly affiliateStatus: AffiliateStatus };

/** As long as the operator let the first one of the family live. */
const EXPIRY = `
  SELECT CASE WHEN expires_at > created_at THEN now() + (expires_at - created_at)
              WHEN expires_at IS NOT NULL THEN now() + make_interval(secs => $2) END AS "expiresAt"
  FROM access_tokens WHERE family_id = $1 ORDER BY id LIMIT 1`;

const nextPair = async (db: Queryable, hash: KeyHash, familyId: number): Promise<TokenPair> => {
  const { rows } = await db.query<{ expiresAt: Date | null }>(EXPIRY, [familyId, SHORT_LIFE_S]);
  return addPair(db, hash, { familyId, expiresAt: rows[0]?.expiresAt ?? null });
};

const REVOKE = `
  UPDATE token_families SET status = 'revoked'
  WHERE status = 'active' AND id = (SELECT family_id FROM refresh_tokens WHERE hash = $1 AND used_at IS NOT NULL)
  RETURNING id`;

/** "A second use is 401 and revokes the family." Somebody else has the token: nothing that came of it is good. */
const revokeFamily = async (db: Queryable, presented: Buffer): Promise<void> => {
  const { rows } = await db.query<{ id: number }>(REVOKE, [presented]);
  if (!rows[0]) return;
  await recordChange(db, {
    actor: 'refresh token used twice',
    action: 'changed',
    subject: 'token_family',
    subjectId: rows[0].id,
    before: { status: 'active' },
    after: { status: 'revoked' },
  });
};

/** "A refresh_token buys the next pair once." Decided by the row of the token, whichever instance asks. */
export const refreshPair = (pool: pg.Pool, hash: KeyHash, refreshToken: string): Promise<Refreshed> => {
  const presented = hash(refreshToken);
  return inTransaction<Refreshed>(
    pool,
    async (db) => {
      const { rows } = await db.query<Used>(USE, [presented]);
      const [used] = rows;
      if (!used) {
        await revokeFamily(db, presented);
        return refused({ refusal: 'invalid_token' });
      }
      // Taken back: the token is not used up while its affiliate is out of business.
      if (used.affiliateStatus !== 'enabled') return refused({ refusal: `affiliate_${used.affiliateStatus}` });
      return { outcome: 'applied', pair: await nextPair(db, hash, used.familyId) };
    },
    { isKept: (refreshed) => refreshed.outcome === 'applied' || refreshed.refusal.refusal === 'invalid_token' },
  );
};
