import type pg from 'pg';
import { type Refused, refused } from '#deposits';
import { inTransaction, type Queryable } from '#platform/postgres';
import { recordChange } from '../accounts/audit.ts';
import type { KeyHash } from '../authentication/key-hash.ts';
import type { AffiliateStatus } from '../authentication/key-record.ts';
import type { TokenRefusal } from './access-token.ts';
import { NEXT_EXPIRY } from './token-life.ts';
import { addPair, type TokenPair } from './token-pair.ts';

export type Refreshed = { readonly outcome: 'applied'; readonly pair: TokenPair } | Refused<TokenRefusal>;

/** Of many uses at once the row lets one through; the others see the time that it has written. */
const USE = `
  UPDATE refresh_tokens r SET used_at = now()
  FROM token_families f JOIN affiliates a ON a.id = f.affiliate_id
  WHERE r.hash = $1 AND r.used_at IS NULL AND f.id = r.family_id AND f.status = 'active'
  RETURNING f.id AS "familyId", a.status AS "affiliateStatus"`;

type Used = { readonly familyId: number; readonly affiliateStatus: AffiliateStatus };

const nextPair = async (db: Queryable, hash: KeyHash, familyId: number): Promise<TokenPair> => {
  const { rows } = await db.query<{ expiresAt: Date | null }>(NEXT_EXPIRY, [familyId]);
  if (!rows[0]) throw new Error('the family of a refresh token is not there');
  return addPair(db, hash, { familyId, expiresAt: rows[0].expiresAt });
};

/**
 * Looked for before anything is written: a statement that writes to families has all instances forget what they know,
 * also where it changes no row, and anybody may invent tokens.
 */
const FAMILY_OF_USED = `
  SELECT id FROM token_families
  WHERE status = 'active' AND id = (SELECT family_id FROM refresh_tokens WHERE hash = $1 AND used_at IS NOT NULL)
  FOR NO KEY UPDATE`;

const REVOKE = `UPDATE token_families SET status = 'revoked' WHERE id = $1`;

/** "A second use is 401 and revokes the family." Somebody else has the token: nothing that came of it is good. */
const revokeFamily = async (db: Queryable, presented: Buffer): Promise<boolean> => {
  const { rows } = await db.query<{ id: number }>(FAMILY_OF_USED, [presented]);
  if (!rows[0]) return false;
  const { id } = rows[0];
  await db.query(REVOKE, [id]);
  await recordChange(db, {
    actor: 'refresh token used twice',
    action: 'changed',
    subject: 'token_family',
    subjectId: id,
    before: { status: 'active' },
    after: { status: 'revoked' },
  });
  return true;
};

export type RefreshParts = {
  readonly pool: pg.Pool;
  readonly hash: KeyHash;
  /** What is remembered of its tokens is good no more. */
  readonly onRevoked: () => void;
};

/** "A refresh_token buys the next pair once." Decided by the row of the token, whichever instance asks. */
export const refreshPair = ({ pool, hash, onRevoked }: RefreshParts, refreshToken: string): Promise<Refreshed> => {
  const presented = hash(refreshToken);
  let isRevoked = false;
  return inTransaction<Refreshed>(
    pool,
    async (db) => {
      const { rows } = await db.query<Used>(USE, [presented]);
      const [used] = rows;
      if (!used) {
        isRevoked = await revokeFamily(db, presented);
        return refused({ refusal: 'invalid_token' });
      }
      // Taken back: the token is not used up while its affiliate is out of business.
      if (used.affiliateStatus !== 'enabled') return refused({ refusal: `affiliate_${used.affiliateStatus}` });
      return { outcome: 'applied', pair: await nextPair(db, hash, used.familyId) };
    },
    { isKept: (refreshed) => refreshed.outcome === 'applied' || refreshed.refusal.refusal === 'invalid_token' },
  ).finally(() => {
    if (isRevoked) onRevoked();
  });
};
