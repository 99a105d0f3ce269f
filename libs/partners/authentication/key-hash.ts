import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '#platform/secrets';

/** A keyed hash: who reads the table can neither use nor try keys. */
export type KeyHash = (secret: string) => Buffer;

export const createKeyHash = (secrets: Secrets): KeyHash => {
  const key = secrets.derive('api keys');
  return (secret) => createHmac('sha256', key).update(secret).digest();
};

export const sameHash = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other);
