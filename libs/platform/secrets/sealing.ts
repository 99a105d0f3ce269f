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
const BY_ROOT = 1;
const BY_NAMED_KEY = 2;

/** Of the name of a key, which stands in clear before what it sealed. */
export const NAME_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const CIPHER = 'aes-256-gcm';

/** Undefined: of the key that an installation begins with, which has no name. */
export type KeyName = Buffer | undefined;

/** All that one key has sealed begins with this. */
export const headOf = (name: KeyName): Buffer =>
  name ? Buffer.concat([Buffer.from([BY_NAMED_KEY]), name]) : Buffer.from([BY_ROOT]);

/** 'unknown' where nothing is known of it. */
export const nameOn = (sealed: Buffer): KeyName | 'unknown' => {
  if (sealed[0] === BY_ROOT) return undefined;
  return sealed[0] === BY_NAMED_KEY ? sealed.subarray(1, 1 + NAME_BYTES) : 'unknown';
};

/** Head, nonce, tag, text. The purpose is authenticated, so that one secret cannot stand in another's place. */
export const sealWith = (key: Buffer, purpose: string, text: string, name?: Buffer): Buffer => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(purpose));
  const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([headOf(name), nonce, cipher.getAuthTag(), hidden]);
};

export const openWith = (key: Buffer, purpose: string, sealed: Buffer, name?: Buffer): string => {
  const at = headOf(name).length;
  if (sealed.length < at + NONCE_BYTES + TAG_BYTES || !sealed.subarray(0, at).equals(headOf(name)))
    throw new SealBroken(purpose);
  const text = at + NONCE_BYTES + TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(at, at + NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(purpose))
    .setAuthTag(sealed.subarray(at + NONCE_BYTES, text));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(text)), decipher.final()]).toString('utf8');
  } catch {
    throw new SealBroken(purpose);
  }
};
