import { parseDecimal, plainDecimal } from '#money';
import { isKeepable, Malformed } from './raw-signal.ts';

/** Of JSON Schema what the values of signals need. */
export type ValueSchema = {
  readonly type?: 'string' | 'boolean' | 'integer' | 'array';
  readonly enum?: readonly string[];
  readonly format?: 'date-time';
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: ValueSchema;
  readonly maxItems?: number;
  readonly anyOf?: readonly ValueSchema[];
};

/** A kind of value: how it is told to those who write it, and how it is read. */
export type Kind<T> = {
  readonly schema: ValueSchema;
  readonly read: (value: unknown, name: string) => T;
};

const MAX_TEXT = 128;
const MAX_REASON = 500;
const MAX_ADDRESSES = 1_000;

const refuse = (value: unknown, name: string, what: string): never => {
  throw new Malformed(value === undefined ? `${name} is missing` : `${name} has to be ${what}`);
};

/** What `isKeepable` keeps, as far as JSON Schema can say it. */
export const keepableText = (max: number): ValueSchema => ({
  type: 'string',
  minLength: 1,
  maxLength: max,
  pattern: '^[^\\u0000]+$',
});

/** Where blanks alone are kept, a person sees nothing, and screening asks who nobody is. */
const blanksAlone = /^\s+$/;

const said = (text: string, name: string): string =>
  blanksAlone.test(text) ? refuse(text, name, 'more than blanks') : text;

/** Ids of chains and addresses are plain ASCII. */
const printable = /^[\x20-\x7e]+$/;

export const code: Kind<string> = {
  schema: { type: 'string', minLength: 1, maxLength: MAX_TEXT, pattern: /^ *[\x21-\x7e][\x20-\x7e]*$/.source },
  read: (value, name) =>
    isKeepable(value, MAX_TEXT) && printable.test(value)
      ? said(value, name)
      : refuse(value, name, `text of 1 to ${MAX_TEXT} printable ASCII characters`),
};

/** White space around an id would make another id of it. */
const withoutSpace = /^[\x21-\x7e]+$/;

const hash = /^(0x)?[0-9a-f]{64}$/i;

/** A hash is a number written down: in whatever case it comes, it is one transaction, and must count once. */
export const txid: Kind<string> = {
  schema: { ...code.schema, pattern: withoutSpace.source },
  read: (value, name) => {
    const text = code.read(value, name);
    if (!withoutSpace.test(text)) return refuse(value, name, 'text without white space');
    return hash.test(text) ? text.toLowerCase() : text;
  },
};

export const sentence: Kind<string> = {
  schema: { ...keepableText(MAX_REASON), pattern: '^\\s*[^\\s\\u0000][^\\u0000]*$' },
  read: (value, name) =>
    isKeepable(value, MAX_REASON)
      ? said(value, name)
      : refuse(value, name, `text of 1 to ${MAX_REASON} characters without NUL`),
};

export const flag: Kind<boolean> = {
  schema: { type: 'boolean' },
  read: (value, name) => (typeof value === 'boolean' ? value : refuse(value, name, 'true or false')),
};

const integer = (minimum: number, maximum: number = Number.MAX_SAFE_INTEGER): ValueSchema => ({
  type: 'integer',
  minimum,
  maximum,
});

/** A count or an index, as a JSON number. */
export const wholeNumber: Kind<number> = {
  schema: integer(0),
  read: (value, name) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
      ? value
      : refuse(value, name, 'a whole number, 0 or above'),
};

/** Chains count outputs in 32 bits. */
const LAST_OUTPUT = 2 ** 32 - 1;

export const outputIndex: Kind<number> = {
  schema: integer(0, LAST_OUTPUT),
  read: (value, name) => {
    const index = wholeNumber.read(value, name);
    return index > LAST_OUTPUT ? refuse(value, name, `at most ${LAST_OUTPUT}`) : index;
  },
};

export const id: Kind<number> = {
  schema: integer(1),
  read: (value, name) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value > 0
      ? value
      : refuse(value, name, 'a whole number above 0'),
};

/** Amounts are text: a JSON number has lost digits before anybody reads it. */
export const decimal: Kind<string> = {
  schema: { type: 'string', pattern: plainDecimal.source },
  read: (value, name) =>
    typeof value === 'string' && parseDecimal(value) ? value : refuse(value, name, 'a decimal as a string'),
};

export const positiveDecimal: Kind<string> = {
  schema: decimal.schema,
  read: (value, name) =>
    typeof value === 'string' && parseDecimal(value)?.greaterThan(0)
      ? value
      : refuse(value, name, 'a decimal above 0 as a string'),
};

/** An operator's batch may be numbered or named. */
export const batch: Kind<string> = {
  schema: { anyOf: [code.schema, wholeNumber.schema] },
  read: (value, name) => (typeof value === 'number' ? String(wholeNumber.read(value, name)) : code.read(value, name)),
};

export const codes: Kind<readonly string[]> = {
  schema: { type: 'array', items: code.schema, maxItems: MAX_ADDRESSES },
  read: (value, name) => {
    if (!Array.isArray(value) || value.length > MAX_ADDRESSES)
      return refuse(value, name, `a list of at most ${MAX_ADDRESSES}`);
    return value.map((each, nth) => code.read(each, `${name}[${nth}]`));
  },
};

export const oneOf = <const Word extends string>(...words: readonly Word[]): Kind<Word> => ({
  schema: { type: 'string', enum: words },
  read: (value, name) => words.find((word) => word === value) ?? refuse(value, name, words.join(' or ')),
});
