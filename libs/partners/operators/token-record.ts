import type { Queryable } from '#platform/postgres';
import { createMemory, type MemoryOptions } from '#platform/remembered';
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

export type FindToken = (hash: Buffer) => Promise<TokenRecord | undefined>;

export const tokenByHash =
  (db: Queryable): FindToken =>
  async (hash) => {
    const { rows } = await db.query<TokenRecord>({ name: 'operator_token_by_hash', text: BY_HASH, values: [hash] });
    return rows[0];
  };

/** As with API keys: no question to the database per request. */
export const rememberTokens = (find: FindToken, options: MemoryOptions = {}) => {
  const { look, forget } = createMemory<TokenRecord | undefined>(options);
  const remembered: FindToken = (hash) => look(hash.toString('hex'), () => find(hash));
  return { find: remembered, forget };
};
