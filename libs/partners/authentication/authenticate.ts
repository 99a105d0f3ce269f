import { type Refused, refused } from '#deposits';
import { type KeyHash, sameHash } from './key-hash.ts';
import type { KeyMode, KeyRecord, KeyScope } from './key-record.ts';
import { parseKey } from './key-text.ts';
import type { RememberedKeys } from './remembered-keys.ts';

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

export type KeyRefusal = {
  readonly refusal:
    | 'missing'
    | 'malformed'
    | 'unknown'
    | 'expired'
    | 'inactive'
    | 'revoked'
    | 'without_affiliate'
    | 'affiliate_not_found'
    | 'affiliate_disabled'
    | 'affiliate_archived';
};

export type Authentication = { readonly outcome: 'authenticated'; readonly key: ApiKey } | Refused<KeyRefusal>;

/** Takes the header as it came, and the address that it came from. */
export type Authenticate = (header: string | undefined, from: string) => Promise<Authentication>;

const no = (refusal: KeyRefusal['refusal']): Refused<KeyRefusal> => refused({ refusal });

const withAffiliate = ({ id, affiliateId, entityId, mode, scope, affiliate }: KeyRecord): Authentication => {
  if (affiliateId === null) return no('without_affiliate');
  if (affiliate === null) return no('affiliate_not_found');
  if (affiliate.status === 'disabled') return no('affiliate_disabled');
  if (affiliate.status === 'archived') return no('affiliate_archived');
  const { currencies } = affiliate;
  return { outcome: 'authenticated', key: { id, entityId, mode, scope, affiliateId, currencies } };
};

const judged = (record: KeyRecord, now: number): Authentication => {
  const { status, expiresAt } = record;
  if (expiresAt !== null && expiresAt.getTime() <= now) return no('expired');
  return status === 'active' ? withAffiliate(record) : no(status);
};

/** The key, then its affiliate; the first that fails decides the answer. */
export const createAuthenticate =
  (keys: RememberedKeys, hash: KeyHash, now: () => number = Date.now): Authenticate =>
  async (header, from) => {
    if (!header) return no('missing');
    const presented = parseKey(header);
    if (presented.kind === 'malformed') return no('malformed');
    const shown = { hash: hash(presented.secret), from };
    const record = await (presented.kind === 'with_id' ? keys.byId(presented.id, shown) : keys.byHash(shown));
    return record && sameHash(record.hash, shown.hash) ? judged(record, now()) : no('unknown');
  };
