import { pruneInOrder, type Queryable } from '#platform/postgres';

const EXPIRED = {
  table: 'access_tokens',
  key: 'id',
  at: 'created_at',
  remove: 'DELETE FROM access_tokens WHERE id = ANY($1::bigint[]) AND expires_at < now()',
};

const USED = {
  table: 'refresh_tokens',
  key: 'id',
  at: 'created_at',
  remove: 'DELETE FROM refresh_tokens WHERE id = ANY($1::bigint[]) AND used_at IS NOT NULL',
};

/** Of the older interface: what expired and what was used up. Shown a used one until then, its whole family is revoked. */
export const pruneTokens = async (db: Queryable, keepDays: number, signal?: AbortSignal): Promise<number> =>
  (await pruneInOrder(db, EXPIRED, keepDays, signal)) + (await pruneInOrder(db, USED, keepDays, signal));
