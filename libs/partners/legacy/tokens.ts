import type pg from 'pg';
import { createMemory } from '#platform/remembered';
import type { KeyHash } from '../authentication/key-hash.ts';
import {
  type AccessTokenRecord,
  type AuthenticateToken,
  accessTokenByHash,
  createAuthenticateToken,
} from './access-token.ts';
import { type Refreshed, refreshPair } from './refresh.ts';
import { addRefreshToken } from './token-pair.ts';

/** What partners of the older interface do with their tokens. */
export type LegacyTokens = {
  readonly authenticate: AuthenticateToken;
  readonly refresh: (refreshToken: string) => Promise<Refreshed>;
  /** Another refresh token of the same family, to be shown in an answer. */
  readonly mintRefreshToken: (familyId: number) => Promise<string>;
};

/** `forget` is what is to be called after a change. */
export const openLegacyTokens = (
  pool: pg.Pool,
  hash: KeyHash,
  forget: () => void,
): LegacyTokens & { readonly forget: () => void } => {
  const memory = createMemory<AccessTokenRecord | undefined>();
  const find = (presented: Buffer) => memory.look(presented.toString('hex'), () => accessTokenByHash(pool, presented));
  return {
    authenticate: createAuthenticateToken(find, hash),
    refresh: (refreshToken) => refreshPair(pool, hash, refreshToken).finally(forget),
    mintRefreshToken: (familyId) => addRefreshToken(pool, hash, familyId),
    forget: memory.forget,
  };
};
