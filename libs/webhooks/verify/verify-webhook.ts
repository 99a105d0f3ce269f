import { timingSafeEqual } from 'node:crypto';
import { signatureOf } from './signature.ts';

/** As Node, Fetch and the frameworks give them; names in any case. */
export type WebhookHeaders =
  | { readonly get: (name: string) => string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export type VerifyOptions = {
  /**
   * Refuses attempts whose X-Webhook-Timestamp is further off than this. The header itself is not signed: it keeps out
   * what was delayed by accident, not a replay by somebody who can write headers.
   */
  readonly toleranceSeconds?: number;
  /** Default: the clock of this machine. */
  readonly now?: () => Date;
};

type Named = Readonly<Record<string, string | readonly string[] | undefined>>;

const hasGet = (headers: WebhookHeaders): headers is { readonly get: (name: string) => string | null } =>
  typeof headers.get === 'function';

const fromRecord = (headers: Named, name: string): string | undefined => {
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.[0];
};

const headerOf = (headers: WebhookHeaders, name: string): string | undefined =>
  hasGet(headers) ? (headers.get(name) ?? undefined) : fromRecord(headers, name);

/** In a time that does not depend on where two signatures differ. */
const same = (presented: string, expected: string): boolean => {
  const [left, right] = [Buffer.from(presented, 'utf8'), Buffer.from(expected, 'utf8')];
  return left.length === right.length && timingSafeEqual(left, right);
};

const isInTime = (headers: WebhookHeaders, { toleranceSeconds, now = () => new Date() }: VerifyOptions): boolean => {
  if (toleranceSeconds === undefined) return true;
  const sentAt = Number(headerOf(headers, 'x-webhook-timestamp') ?? Number.NaN);
  return Math.abs(now().getTime() / 1_000 - sentAt) <= toleranceSeconds;
};

/**
 * True when the body was signed with one of the secrets. Give it the raw bytes as they arrived, never an object that
 * was parsed and written again. During a rotation a receiver that has the old secret alone is still convinced, by
 * X-Webhook-Signature-Previous.
 */
export const verifyWebhook = (
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): boolean => {
  const presented = ['x-webhook-signature', 'x-webhook-signature-previous'].flatMap(
    (name) => headerOf(headers, name)?.split(', ') ?? [],
  );
  const expected = [secrets]
    .flat()
    .filter((secret) => secret !== '')
    .map((secret) => signatureOf(rawBody, secret));
  const signed = expected.flatMap((one) => presented.map((other) => same(other, one))).includes(true);
  return signed && isInTime(headers, options);
};
