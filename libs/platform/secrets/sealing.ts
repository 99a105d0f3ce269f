import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** What was stored cannot be trusted or read: never shown in part. */
export class SealBroken extends Error {
  constructor(purpose: string) {
    super(
      `what was sealed for '${purpose}' does not open: it was changed, or sealed for another purpose or SECRETS_KEY`,
    );
  }
}

/** Before everything else, so that another cipher can come later beside what is stored already. */
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

const CIPHER = 'aes-256-gcm';

/** Version, nonce, tag, text. The purpose is authenticated, so that one secret cannot stand in another's place. */
export const sealWith = (key: Buffer, purpose: string, text: string): Buffer => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(purpose));
  const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.from([VERSION]), nonce, cipher.getAuthTag(), hidden]);
};

export const openWith = (key: Buffer, purpose: string, sealed: Buffer): string => {
  if (sealed.length < HEAD_BYTES || sealed[0] !== VERSION) throw new SealBroken(purpose);
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(purpose))
    .setAuthTag(sealed.subarray(1 + NONCE_BYTES, HEAD_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    throw new SealBroken(purpose);
  }
};
