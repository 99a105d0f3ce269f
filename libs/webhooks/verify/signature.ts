import { createHmac } from 'node:crypto';

/** Lower-case hex HMAC-SHA256 of the body's bytes; the key is the UTF-8 text of the secret as it was shown. */
export const signatureOf = (body: string | Uint8Array, secret: string): string =>
  createHmac('sha256', Buffer.from(secret, 'utf8')).update(body).digest('hex');
