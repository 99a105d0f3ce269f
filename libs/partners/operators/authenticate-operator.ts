import { type Refused, refused } from '#deposits';
import { type KeyHash, sameHash } from '../authentication/key-hash.ts';
import type { AuthenticateOperator, OperatorRefusal } from './operator.ts';
import type { Sessions } from './sessions.ts';
import type { FindToken, TokenRecord } from './token-record.ts';

const SCHEME = /^Bearer\s+(?=\S)/i;

/** Another scheme, or none, is no credential. A token that was set by hand may have spaces in it. */
const presentedToken = (header: string | undefined): string | undefined =>
  header && SCHEME.test(header) ? header.replace(SCHEME, '').trimEnd() : undefined;

const isOver = ({ expiresAt }: TokenRecord, now: number): boolean => expiresAt !== null && expiresAt.getTime() <= now;

const no = (refusal: OperatorRefusal['refusal']): Refused<OperatorRefusal> => refused({ refusal });

export const createAuthenticateOperator =
  (find: FindToken, hash: KeyHash, sessions: Pick<Sessions, 'authenticate'>, now = Date.now): AuthenticateOperator =>
  async (shown, from) => {
    if (typeof shown === 'object') return sessions.authenticate(shown.session, from);
    const token = presentedToken(shown);
    if (token === undefined) return no('missing');
    const presentedHash = hash(token);
    const record = await find({ hash: presentedHash, from });
    if (!record || !sameHash(record.hash, presentedHash) || isOver(record, now())) return no('invalid');
    if (record.status === 'revoked') return no('revoked');
    return { outcome: 'authenticated', operator: { id: record.id, role: record.role, name: record.name } };
  };
