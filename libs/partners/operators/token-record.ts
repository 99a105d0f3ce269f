import type { Queryable } from '#platform/postgres';
import type { LookUps, Shown } from '../authentication/look-ups.ts';
import type { OperatorRole } from './operator.ts';

export type TokenStatus = 'active' | 'revoked';

export type TokenRecord = {
  readonly id: number;
  readonly role: OperatorRole;
  readonly name: string | null;
  readonly status: TokenStatus;
  readonly expiresAt: Date | null;
  readonly hash: Buffer;
};

const BY_HASH = `
  SELECT id, role, name, status, expires_at AS "expiresAt", hash FROM operator_tokens WHERE hash = $1`;

export type FindToken = (shown: Shown) => Promise<TokenRecord | undefined>;

export const tokenByHash =
  (db: Queryable) =>
  async (hash: Buffer): Promise<TokenRecord | undefined> => {
    const { rows } = await db.query<TokenRecord>({ name: 'operator_token_by_hash', text: BY_HASH, values: [hash] });
    return rows[0];
  };

/** As with API keys: no question to the database per request. */
export const rememberTokens =
  (db: Queryable, { find }: Pick<LookUps<TokenRecord>, 'find'>): FindToken =>
  (shown) =>
    find(`token ${shown.hash.toString('hex')}`, shown, () => tokenByHash(db)(shown.hash));
