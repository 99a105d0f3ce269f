import { authenticationErrors } from '#platform/errors';
import { type KeyHash, sameHash } from '../authentication/key-hash.ts';
import type { AuthenticateOperator } from './operator.ts';
import type { FindToken, TokenRecord } from './token-record.ts';

const SCHEME = /^Bearer\s+(?=\S)/i;

/** Another scheme, or none, is no credential. A token that was set by hand may have spaces in it. */
const presentedToken = (header: string | undefined): string => {
  if (!header || !SCHEME.test(header)) throw authenticationErrors.missing();
  return header.replace(SCHEME, '').trimEnd();
};

const isOver = ({ expiresAt }: TokenRecord, now: number): boolean => expiresAt !== null && expiresAt.getTime() <= now;

export const createAuthenticateOperator =
  (find: FindToken, hash: KeyHash, now: () => number = Date.now): AuthenticateOperator =>
  async (header) => {
    const presentedHash = hash(presentedToken(header));
    const record = await find(presentedHash);
    if (!record || !sameHash(record.hash, presentedHash)) throw authenticationErrors.invalidToken();
    if (isOver(record, now())) throw authenticationErrors.invalidToken();
    if (record.status === 'revoked') throw authenticationErrors.tokenRevoked();
    return { id: record.id, role: record.role, name: record.name };
  };
