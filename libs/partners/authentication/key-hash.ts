import { createHmac, createSecretKey, hash as hashOf, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Secrets } from '#platform/secrets';

/** A keyed hash: who reads the table can neither use nor try keys. */
export type KeyHash = (secret: string) => Buffer;

/** Each kind of credential has a hash of its own: one kind's stored hash says nothing about another's. */
export type HashPurpose =
  | 'api keys'
  | 'operator tokens'
  | 'legacy tokens'
  | 'console sessions'
  | 'console sign-ins'
  | 'approvals';

const MOST_KNOWN = 1_000;

export const createKeyHash = (secrets: Secrets, purpose: HashPurpose = 'api keys'): KeyHash => {
  // Made once: to make it costs eight times what it costs to hash with it.
  const key = createSecretKey(secrets.derive(purpose));
  // The same few come with every call. A plain hash, which costs a tenth, finds them; what was shown is not kept.
  const known = new LRUCache<string, Buffer>({ max: MOST_KNOWN });
  return (secret) => {
    const name = hashOf('sha256', secret, 'base64url');
    const hash = known.get(name) ?? createHmac('sha256', key).update(secret).digest();
    known.set(name, hash);
    return hash;
  };
};

export const sameHash = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other);
