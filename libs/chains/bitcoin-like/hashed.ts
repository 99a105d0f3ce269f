import { createHash } from 'node:crypto';

const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** What blocks and transactions of the kin of Bitcoin are known by. */
export const hashedTwice = (...parts: readonly Uint8Array[]): Buffer => sha256(sha256(...parts));

/** As it is written and told: its bytes the other way round. */
export const inWords = (hash: Uint8Array): string => Buffer.from(hash).reverse().toString('hex');
