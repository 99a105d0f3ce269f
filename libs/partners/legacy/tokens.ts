import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { outsidersOf, strangerFrom } from '#platform/gate';
import type { KeyHash } from '../authentication/key-hash.ts';
import { createLookUps } from '../authentication/look-ups.ts';
import {
  type AccessToken,
  type AccessTokenRecord,
  type AuthenticateToken,
  accessTokenByHash,
  createAuthenticateToken,
  type FindAccessToken,
} from './access-token.ts';
import { type Refreshed, refreshPair } from './refresh.ts';
import { addRefreshToken } from './token-pair.ts';

/** What partners of the older interface do with their tokens. */
export type LegacyTokens = {
  readonly authenticate: AuthenticateToken;
  readonly refresh: (refreshToken: string, from: string) => Promise<Refreshed>;
  /** Another refresh token of the same family, to be shown in an answer. */
  readonly mintRefreshToken: (familyId: number) => Promise<string>;
  /** The same for a call that does nothing else, and can be refused where too many come. */
  readonly mintInTurn: (caller: Pick<AccessToken, 'affiliateId' | 'familyId'>) => Promise<string>;
};

export const openLegacyTokens = (pool: pg.Pool, hash: KeyHash): LegacyTokens & { readonly forget: () => void } => {
  const inTurn = outsidersOf(pool);
  const lookUps = createLookUps<AccessTokenRecord>(inTurn);
  const find: FindAccessToken = (shown) =>
    lookUps.find(`access token ${shown.hash.toString('hex')}`, shown, () => accessTokenByHash(pool, shown.hash));
  return {
    authenticate: createAuthenticateToken(find, hash),
    refresh: (refreshToken, from) =>
      inTurn(strangerFrom(from, hash(refreshToken).toString('hex')), () =>
        refreshPair({ pool, hash, onRevoked: lookUps.forget }, refreshToken),
      ),
    mintRefreshToken: (familyId) => addRefreshToken(pool, hash, familyId),
    mintInTurn: ({ affiliateId, familyId }) =>
      inTurn({ party: `affiliate ${affiliateId}`, thing: randomUUID() }, () => addRefreshToken(pool, hash, familyId)),
    forget: lookUps.forget,
  };
};
