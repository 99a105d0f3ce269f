import type { Logger } from '#platform/logging';
import type { Attempted, WebhookClient } from '../safe-http/index.ts';
import { type Addressee, isSendable, type Sendable, type Targets, targetOf } from '../target.ts';
import type { Claimed } from './claim.ts';
import type { EndpointHealth } from './endpoint-health.ts';
import type { Outcome, Verdict } from './finish.ts';
import { headersOf, type Signed } from './headers.ts';
import type { DeliveryMetrics } from './metrics.ts';
import { nextAttemptInMs } from './schedule.ts';
import type { Manner } from './standings.ts';
import { SECRET_UNREADABLE, type ToldEndpoints } from './told-endpoints.ts';

export type AttemptParts = Targets & {
  readonly client: Pick<WebhookClient, 'post'>;
  readonly logger: Logger;
  readonly endpoints: ToldEndpoints;
  readonly health: Pick<EndpointHealth, 'note'>;
  readonly metrics: DeliveryMetrics | undefined;
  readonly quickMs: number;
  readonly now: () => Date;
};

const isGood = (statusCode: number | null): boolean => statusCode !== null && statusCode >= 200 && statusCode < 300;

const verdictOf = ({ failures }: Claimed, { statusCode, retryAfter }: Attempted, now: Date): Verdict => {
  if (isGood(statusCode)) return { status: 'delivered' };
  const inMs = nextAttemptInMs({ failures: failures + 1, statusCode, retryAfter }, now);
  return inMs === undefined ? { status: 'dead' } : { status: 'pending', inMs };
};

/** Once it is stored: what came of the attempt, for whoever watches. */
export const tell = (
  { endpoints, health, metrics, now }: AttemptParts,
  delivery: Claimed,
  { attempt, verdict }: Pick<Outcome, 'attempt' | 'verdict'>,
): void => {
  metrics?.answered(attempt.statusCode);
  if (verdict.status === 'delivered') metrics?.delivered((now().getTime() - delivery.recordedMs) / 1_000);
  if (verdict.status === 'dead') metrics?.dead();
  endpoints.tell(delivery, attempt, verdict.status);
  health.note(delivery, attempt, verdict.status);
};

/** What an attempt came to, before what becomes of the delivery. */
type Tried = {
  readonly attempted: Attempted;
  readonly url: string | null;
  /** False: no later attempt could do better, and the delivery waits for a replay. */
  readonly again: boolean;
};

const unsent = (error: string, again: boolean): Tried => ({
  attempted: { statusCode: null, excerpt: null, retryAfter: null, error, durationMs: 0 },
  url: null,
  again,
});

const send = (
  client: AttemptParts['client'],
  { url, ...signing }: Sendable,
  signed: Signed,
  signal: AbortSignal,
): Promise<Attempted> => client.post({ url, headers: headersOf(signing, signed), body: signed.body, signal });

const UNREADABLE = Symbol('a setting that cannot be read');

const addresseeOf = ({ entityId, affiliateId }: Claimed): Addressee =>
  entityId === null ? { affiliateId: affiliateId ?? 0 } : { entityId };

const lookUp = async (parts: AttemptParts, delivery: Claimed) => {
  try {
    return await targetOf(parts, addresseeOf(delivery));
  } catch {
    return UNREADABLE;
  }
};

const tryToSend = async (parts: AttemptParts, delivery: Claimed, signal: AbortSignal): Promise<Tried | undefined> => {
  const target = await lookUp(parts, delivery);
  // Asked here, behind all that may take its time: a whole attempt has to end before the lease.
  if (performance.now() > delivery.startBy) return undefined;
  if (target === UNREADABLE) return unsent('The webhook setting could not be read', true);
  if (!target) return unsent('No webhook URL is configured any more', false);
  if (!isSendable(target)) return unsent(SECRET_UNREADABLE, true);
  const { body } = delivery;
  if (body === null) return unsent('The body is not kept any more', false);
  const signed = { webhookId: delivery.webhookId, body: Buffer.from(body, 'utf8'), at: parts.now() };
  const attempted = await send(parts.client, target, signed, signal);
  if (signal.aborted && attempted.statusCode === null) return undefined;
  return { attempted, url: target.url, again: true };
};

export type Attempt = { readonly manner: Manner; readonly outcome: Outcome };

const mannerOf = ({ status }: Verdict, durationMs: number, quickMs: number): Manner => {
  if (status !== 'delivered') return 'failed';
  return durationMs > quickMs ? 'slow' : 'quick';
};

/**
 * One attempt: to the URL and with the secret of now, so that a corrected URL and a rotated secret reach what was made
 * before. Tells how the endpoint answered. Undefined: it was not made, since too little of the lease was left, or since
 * `signal` broke it off.
 */
export const makeAttempt = async (
  parts: AttemptParts,
  delivery: Claimed,
  signal: AbortSignal,
): Promise<Attempt | undefined> => {
  const { quickMs, now } = parts;
  const at = now();
  const tried = await tryToSend(parts, delivery, signal);
  if (!tried) return undefined;
  const { attempted, url, again } = tried;
  const verdict: Verdict = again ? verdictOf(delivery, attempted, now()) : { status: 'dead' };
  const { statusCode, error, durationMs, excerpt: answer } = attempted;
  const attempt = { at, movedTo: url === delivery.url ? null : url, statusCode, error, durationMs, answer };
  const { id, lease } = delivery;
  return { manner: mannerOf(verdict, durationMs, quickMs), outcome: { id, lease, attempt, verdict } };
};
