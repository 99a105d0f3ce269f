import { authenticationErrors } from '#platform/errors';
import { type KeyHash, sameHash } from './key-hash.ts';
import type { KeyMode, KeyRecord, KeyScope, KeyStore } from './key-record.ts';
import { parseKey } from './key-text.ts';

/** A key that may be used now: who calls. */
export type ApiKey = {
  readonly id: number;
  readonly affiliateId: number;
  /** The one casino it is locked to; null for all of the affiliate's. */
  readonly entityId: number | null;
  readonly mode: KeyMode;
  readonly scope: KeyScope;
  /** What the affiliate may use. */
  readonly currencies: readonly string[];
};

export type Authenticate = (header: string | undefined) => Promise<ApiKey>;

const find = async (header: string, keys: KeyStore, hash: KeyHash): Promise<KeyRecord> => {
  const presented = parseKey(header);
  if (presented.kind === 'malformed') throw authenticationErrors.invalidKeyFormat();
  const presentedHash = hash(presented.secret);
  const record = presented.kind === 'with_id' ? await keys.byId(presented.id) : await keys.byHash(presentedHash);
  if (!record || !sameHash(record.hash, presentedHash)) throw authenticationErrors.invalidKey();
  return record;
};

const checkKey = ({ status, expiresAt }: KeyRecord, now: number): void => {
  if (expiresAt !== null && expiresAt.getTime() <= now) throw authenticationErrors.keyExpired();
  if (status === 'inactive') throw authenticationErrors.keyInactive();
  if (status === 'revoked') throw authenticationErrors.keyRevoked();
};

const checkedAffiliate = ({ affiliateId, affiliate }: KeyRecord) => {
  if (affiliateId === null) throw authenticationErrors.keyWithoutAffiliate();
  if (affiliate === null) throw authenticationErrors.affiliateNotFound();
  if (affiliate.status === 'disabled') throw authenticationErrors.affiliateDisabled();
  if (affiliate.status === 'archived') throw authenticationErrors.affiliateArchived();
  return { affiliateId, currencies: affiliate.currencies };
};

/** The credential (401), then the affiliate (403); the first that fails decides the answer. */
export const createAuthenticate =
  (keys: KeyStore, hash: KeyHash, now: () => number = Date.now): Authenticate =>
  async (header) => {
    if (!header) throw authenticationErrors.missing();
    const record = await find(header, keys, hash);
    checkKey(record, now());
    const { id, entityId, mode, scope } = record;
    return { id, entityId, mode, scope, ...checkedAffiliate(record) };
  };

/** "Every casino endpoint needs scope `admin`." */
export const requireAdminScope = (key: ApiKey): ApiKey => {
  if (key.scope !== 'admin') throw authenticationErrors.insufficientPermissions();
  return key;
};
