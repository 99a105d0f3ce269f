import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { parseDigits, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { Secrets } from '#platform/secrets';

const e164Of = (phone: string): string | undefined =>
  parsePhoneNumberFromString(phone.normalize('NFKC'), { extract: false })?.number;

/** Whether it is a telephone number, with its country, as far as a plan of numbers can tell. */
export const isPhoneNumber = (phone: string): boolean => e164Of(phone) !== undefined;

const MASK = '…';

/** Enough to tell two players apart: never more than the last three, and always four characters less than all. */
export const maskedPhone = (phone: string): string => MASK + phone.slice(4).slice(-3);

/** What was read in a list and is sent back: it would name somebody else. */
export const isMaskedPhone = (phone: string): boolean => phone.startsWith(MASK);

/** Blanks, brackets, dots and hyphens are for the eye. */
const bare = (phone: string): string => phone.replaceAll(/[\s().-]/g, '') || phone;

/** Asks something of the network before the number: that the caller is not shown (`*31#`, `*67`), and the like. */
const SERVICE = /^[\s(]*(?:[*#]{1,2}\d{2,3}[*#]|\*\d{2}(?=[\s+]|\d{7}))/;

/** Whatever else stands between digits is for the eye, as a minus sign or the long vowel sign of a Japanese keyboard. */
const DIALLED_LATER = /[\p{L}*#,;~]/u;
const LONG_VOWEL = '\u30fc';

/** Fewer are no number yet: what stands behind them stands inside of it. */
const FEWEST_DIGITS = 7;

/** Pauses, tones and extensions (`p1`, `,1`, `*1`) are sent once the telephone was reached: it is the same without them. */
const reachedBy = (dialled: string): string => {
  let [reached, digits] = ['', 0];
  for (const sign of dialled) {
    const isDigit = parseDigits(sign) !== '';
    if (!isDigit && digits >= FEWEST_DIGITS && sign !== LONG_VOWEL && DIALLED_LATER.test(sign)) break;
    if (isDigit) digits += 1;
    reached += sign;
  }
  return reached;
};

/** As they are dialled: what leads out of a country does not count. */
const digitsOf = (phone: string): string => {
  const reached = reachedBy(phone.normalize('NFKC').replace(SERVICE, ''));
  return parseDigits(e164Of(reached) ?? reached).replace(/^0+/, '') || phone;
};

export type PhoneHashes = {
  /** The same for a number of one person, however it is written. */
  readonly ofIdentity: (phone: string) => Buffer;
  /** The same for whatever could reach one telephone: by the E.164 of what is dialled, by its digits where it does not parse. */
  readonly ofNumber: (phone: string) => Buffer;
};

/** Keyed, because there are too few phones for a plain hash to hide one. */
export const createPhoneHashes = (secrets: Pick<Secrets, 'derive'>): PhoneHashes => {
  const hashWith = (key: KeyObject, text: string): Buffer => createHmac('sha256', key).update(text, 'utf8').digest();
  const keyOf = (purpose: string): KeyObject => createSecretKey(secrets.derive(purpose));
  const [identities, numbers] = [keyOf('phones of identities'), keyOf('numbers that get texts')];
  return {
    ofIdentity: (phone) => hashWith(identities, e164Of(phone) ?? bare(phone)),
    ofNumber: (phone) => hashWith(numbers, digitsOf(phone)),
  };
};
