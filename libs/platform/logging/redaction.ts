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

const EMAIL = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g;
const KEY_TEXT = /\b\d{1,19}:[\w-]{20,}/g;
const BEARER = /\bBearer\s+\S+/gi;
const URL_CREDENTIALS = /(:\/\/)[^\s/@]+@/g;

/** What slipped into free text: URLs with passwords, keys, bearer tokens, addresses of e-mail. */
export const redactText = (text: string): string =>
  text
    .replaceAll(URL_CREDENTIALS, `$1${HIDDEN}@`)
    .replaceAll(BEARER, `Bearer ${HIDDEN}`)
    .replaceAll(KEY_TEXT, HIDDEN)
    .replaceAll(EMAIL, HIDDEN);

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
