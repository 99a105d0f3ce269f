import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
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

export const createKeyHash = (secrets: Secrets, purpose: HashPurpose = 'api keys'): KeyHash => {
  // Made once: to make it costs eight times what it costs to hash with it.
  const key = createSecretKey(secrets.derive(purpose));
  return (secret) => createHmac('sha256', key).update(secret).digest();
};

export const sameHash = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other);
