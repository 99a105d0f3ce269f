import { parseDecimal } from '#money';

/** One signal as it was sent: nothing about it is certain. */
export type RawSignal = Readonly<Record<string, unknown>>;

/** Why a signal cannot be read; its message is the detail of the answer. */
export class Malformed extends Error {}

const MAX_TEXT = 128;
const MAX_REASON = 500;
const MAX_ADDRESSES = 1_000;

/** Ids of chains and addresses are plain ASCII. */
const printable = /^[\x20-\x7e]+$/;

/** Only what the signal itself has, whatever its prototype says; null is as good as absent. */
export const given = (raw: RawSignal, name: string): unknown =>
  Object.hasOwn(raw, name) ? (raw[name] ?? undefined) : undefined;

type Reader<T> = (value: unknown, name: string) => T;

const refuse = (value: unknown, name: string, what: string): never => {
  throw new Malformed(value === undefined ? `${name} is missing` : `${name} has to be ${what}`);
};

/** What a database keeps as it came: no NUL, no halves of surrogate pairs. */
export const isKeepable = (value: unknown, max: number): value is string =>
  typeof value === 'string' &&
  value.length >= 1 &&
  value.length <= max &&
  value.isWellFormed() &&
  !value.includes('\0');

export const code: Reader<string> = (value, name) =>
  isKeepable(value, MAX_TEXT) && printable.test(value)
    ? value
    : refuse(value, name, `text of 1 to ${MAX_TEXT} printable ASCII characters`);

const hash = /^(0x)?[0-9a-f]{64}$/i;

/** A hash is a number written down: in whatever case it comes, it is one transaction, and must count once. */
export const txid: Reader<string> = (value, name) => {
  const text = code(value, name);
  return hash.test(text) ? text.toLowerCase() : text;
};

export const sentence: Reader<string> = (value, name) =>
  isKeepable(value, MAX_REASON) ? value : refuse(value, name, `text of 1 to ${MAX_REASON} characters without NUL`);

export const flag: Reader<boolean> = (value, name) =>
  typeof value === 'boolean' ? value : refuse(value, name, 'true or false');

/** A count or an index, as a JSON number. */
export const wholeNumber: Reader<number> = (value, name) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? value
    : refuse(value, name, 'a whole number, 0 or above');

export const id: Reader<number> = (value, name) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0
    ? value
    : refuse(value, name, 'a whole number above 0');

/** Amounts are text: a JSON number has lost digits before anybody reads it. */
export const decimal: Reader<string> = (value, name) =>
  typeof value === 'string' && parseDecimal(value) ? value : refuse(value, name, 'a decimal as a string');

export const positiveDecimal: Reader<string> = (value, name) =>
  typeof value === 'string' && parseDecimal(value)?.greaterThan(0)
    ? value
    : refuse(value, name, 'a decimal above 0 as a string');

/** An operator's batch may be numbered or named. */
export const batch: Reader<string> = (value, name) =>
  typeof value === 'number' ? String(wholeNumber(value, name)) : code(value, name);

export const codes: Reader<readonly string[]> = (value, name) => {
  if (!Array.isArray(value) || value.length > MAX_ADDRESSES)
    return refuse(value, name, `a list of at most ${MAX_ADDRESSES}`);
  return value.map((each, nth) => code(each, `${name}[${nth}]`));
};

export const oneOf =
  <const Word extends string>(...words: readonly Word[]): Reader<Word> =>
  (value, name) =>
    words.find((word) => word === value) ?? refuse(value, name, words.join(' or '));

export const required = <T>(raw: RawSignal, name: string, read: Reader<T>): T => read(given(raw, name), name);

export const optional = <T, Default>(
  raw: RawSignal,
  name: string,
  read: Reader<T>,
  otherwise: Default,
): T | Default => {
  const value = given(raw, name);
  return value === undefined ? otherwise : read(value, name);
};
