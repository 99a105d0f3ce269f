import { pruneInOrder, type Queryable } from '#platform/postgres';

/** By the first of its tokens operators find, and revoke, a family whose refresh tokens still buy something. */
const EXPIRED = {
  table: 'access_tokens',
  key: 'id',
  at: 'created_at',
  remove: `
    DELETE FROM access_tokens t USING token_families f
    WHERE t.id = ANY($1::bigint[]) AND t.expires_at < now() AND f.id = t.family_id
      AND (f.status = 'revoked'
           OR EXISTS (SELECT FROM access_tokens o WHERE o.family_id = t.family_id AND o.id < t.id))`,
};

const USED = {
  table: 'refresh_tokens',
  key: 'id',
  at: 'created_at',
  only: 'used_at IS NOT NULL',
  remove: 'DELETE FROM refresh_tokens WHERE id = ANY($1::bigint[])',
};

/** Of the older interface: what expired and what was used up. Shown a used one until then, its whole family is revoked. */
export const pruneTokens = async (db: Queryable, keepDays: number, signal?: AbortSignal): Promise<number> =>
  (await pruneInOrder(db, EXPIRED, keepDays, signal)) + (await pruneInOrder(db, USED, keepDays, signal));
