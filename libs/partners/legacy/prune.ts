import { prune, pruneInOrder, type Queryable, ROWS_AT_ONCE } from '#platform/postgres';

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

/** By when it was used, however old it was: whoever held it may come for the first time long after a thief. */
const USED = `
  DELETE FROM refresh_tokens WHERE id IN (
    SELECT id FROM refresh_tokens WHERE used_at < now() - $1::float8 * interval '1 day'
    ORDER BY used_at LIMIT ${ROWS_AT_ONCE})`;

/** Of the older interface: what expired and what was used up. Shown a used one until then, its whole family is revoked. */
export const pruneTokens = async (db: Queryable, keepDays: number, signal?: AbortSignal): Promise<number> =>
  (await pruneInOrder(db, EXPIRED, keepDays, signal)) + (await prune(db, USED, [keepDays], signal));
