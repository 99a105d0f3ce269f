import { isNativeError } from 'node:util/types';

/** Names whose values never reach a log line, however deep they lie: keys, tokens and what identifies a player. */
const SECRET_NAMES = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'x-webhook-signature',
  'x-webhook-signature-previous',
  'api_key',
  'apikey',
  'key',
  'secret',
  'webhook_secret',
  'secrets_key',
  'password',
  'token',
  'access_token',
  'refresh_token',
  'phone',
  'email',
]);

const HIDDEN = '[hidden]';
const DEEPEST = 6;

/** In the letters of every script; of ASCII what no host has ends it. */
const DOMAIN = String.raw`[\w\u{a1}-\u{10ffff}-]+[.\u{3002}\u{ff0e}\u{ff61}][\w.\u{a1}-\u{10ffff}-]*[\w\u{a1}-\u{10ffff}-]`;
const QUOTED_NAME = String.raw`"(?:[^"\\\r\n]|\\.){0,64}\\?"`;
/** Looked for where it begins alone: a long text without an address is gone through once, however it is made. */
const PLAIN_NAME = String.raw`(?<![^\x00-\x20"(),:;<>@[\]\\])[^\x00-\x20"(),:;<>@[\]\\]+`;
const EMAILS = [QUOTED_NAME, PLAIN_NAME].map((name) => new RegExp(`${name}@${DOMAIN}`, 'gu'));
const KEY_TEXT = /\b\d{1,19}:[\w-]{20,}/g;
const BEARER = /\bBearer\s+\S+/gi;
const URL_CREDENTIALS = /(:\/\/)[^\s/@]+@/g;

/** What slipped into free text: URLs with passwords, keys, bearer tokens, addresses of e-mail. */
export const redactText = (text: string): string => {
  const redacted = text
    .replaceAll(URL_CREDENTIALS, `$1${HIDDEN}@`)
    .replaceAll(BEARER, `Bearer ${HIDDEN}`)
    .replaceAll(KEY_TEXT, HIDDEN);
  return redacted.includes('@') ? EMAILS.reduce((left, email) => left.replaceAll(email, HIDDEN), redacted) : redacted;
};

const redactError = (error: Error, depth: number): Record<string, unknown> => ({
  type: error.name,
  message: redactText(error.message),
  stack: redactText(error.stack ?? ''),
  ...('code' in error ? { code: error.code } : {}),
  ...(error.cause === undefined ? {} : { cause: redact(error.cause, depth + 1) }),
});

const redactObject = (value: object, depth: number): unknown =>
  Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      SECRET_NAMES.has(name.toLowerCase()) ? HIDDEN : redact(inner, depth + 1),
    ]),
  );

/** A copy that is fit for a log: what is secret hidden, what is too deep cut. */
export const redact = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) return '[deeper]';
  if (isNativeError(value)) return redactError(value, depth);
  if (value instanceof Date) return value;
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  return redactObject(value, depth);
};
