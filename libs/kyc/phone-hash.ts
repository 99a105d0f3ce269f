import { createHmac } from 'node:crypto';
import type { Secrets } from '#platform/secrets';

export type PhoneHash = (phone: string) => Buffer;

/** The same number however it is written: blanks, brackets, dots and hyphens are for the eye. */
const bare = (phone: string): string => phone.replaceAll(/[\s().-]/g, '') || phone;

/** Keyed, because there are too few phones for a plain hash to hide one. */
export const createPhoneHash = (secrets: Pick<Secrets, 'derive'>): PhoneHash => {
  const key = secrets.derive('phones of identities');
  return (phone) => createHmac('sha256', key).update(bare(phone), 'utf8').digest();
};
