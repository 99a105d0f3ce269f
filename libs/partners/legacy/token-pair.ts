import type { Queryable } from '#platform/postgres';
import type { KeyHash } from '../authentication/key-hash.ts';
import { makeSecret } from '../authentication/key-text.ts';

/** Opaque texts, seen here and never again: only their hashes are kept. */
export type TokenPair = { readonly id: number; readonly accessToken: string; readonly refreshToken: string };

export type NewPair = { readonly familyId: number; readonly expiresAt: Date | null };

/** Another right to buy the next pair, once. */
export const addRefreshToken = async (db: Queryable, hash: KeyHash, familyId: number): Promise<string> => {
  const token = makeSecret();
  await db.query('INSERT INTO refresh_tokens (family_id, hash) VALUES ($1, $2)', [familyId, hash(token)]);
  return token;
};

/** The next pair of a family; of a new one, the first. */
export const addPair = async (db: Queryable, hash: KeyHash, { familyId, expiresAt }: NewPair): Promise<TokenPair> => {
  const accessToken = makeSecret();
  const { rows } = await db.query<{ id: number }>(
    'INSERT INTO access_tokens (family_id, expires_at, hash) VALUES ($1, $2, $3) RETURNING id',
    [familyId, expiresAt, hash(accessToken)],
  );
  if (!rows[0]) throw new Error('the new access token did not come back');
  return { id: rows[0].id, accessToken, refreshToken: await addRefreshToken(db, hash, familyId) };
};
