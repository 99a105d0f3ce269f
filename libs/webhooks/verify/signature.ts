import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

const keys = new Map<string, KeyObject>();

const MOST_KEYS = 1_000;

/** A made key is kept: to make it costs more than to sign with it. It is the UTF-8 text of the secret as it was shown. */
const keyOf = (secret: string): KeyObject => {
  const known = keys.get(secret);
  if (known) return known;
  if (keys.size >= MOST_KEYS) keys.clear();
  const key = createSecretKey(Buffer.from(secret, 'utf8'));
  keys.set(secret, key);
  return key;
};

/** Lower-case hex HMAC-SHA256 of the body's bytes. */
export const signatureOf = (body: string | Uint8Array, secret: string): string =>
  createHmac('sha256', keyOf(secret)).update(body).digest('hex');
