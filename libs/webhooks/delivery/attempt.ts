import type { Logger } from '#platform/logging';
import type { Attempted, WebhookClient } from '../safe-http/index.ts';
import type { WebhookOf, WebhookTarget } from '../target.ts';
import type { Claimed } from './claim.ts';
import type { Outcome, Verdict } from './finish.ts';
import { headersOf } from './headers.ts';
import type { DeliveryMetrics } from './metrics.ts';
import { nextAttemptInMs } from './schedule.ts';
import type { Manner } from './slots.ts';

export type AttemptGround = {
  readonly client: Pick<WebhookClient, 'post'>;
  readonly webhookOf: WebhookOf;
  readonly logger: Logger;
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
  { logger, metrics, now }: AttemptGround,
  delivery: Claimed,
  { attempt, verdict }: Pick<Outcome, 'attempt' | 'verdict'>,
): void => {
  const { id, webhookId, event, entityId, recordedMs } = delivery;
  metrics?.answered(attempt.statusCode);
  if (verdict.status === 'delivered') metrics?.delivered((now().getTime() - recordedMs) / 1_000);
  if (verdict.status !== 'dead') return;
  metrics?.dead();
  logger.error(
    { alert: 'webhook_delivery_dead', delivery_id: id, webhook_id: webhookId, event, entity_id: entityId },
    'a webhook delivery is given up: see to the endpoint, then send it again by hand',
  );
};

/** The casino took its URL away after the delivery was made: nothing is sent, and the delivery waits for a replay. */
const withoutTarget: Attempted = {
  statusCode: null,
  excerpt: null,
  retryAfter: null,
  error: 'No webhook URL is configured any more',
  durationMs: 0,
};

const send = (
  client: AttemptGround['client'],
  { url, ...signing }: WebhookTarget,
  { webhookId, body }: Claimed,
  at: Date,
  signal: AbortSignal,
): Promise<Attempted> => {
  const bytes = Buffer.from(body, 'utf8');
  return client.post({ url, headers: headersOf(signing, { webhookId, body: bytes, at }), body: bytes, signal });
};

export type Attempt = { readonly manner: Manner; readonly outcome: Outcome };

const mannerOf = ({ status }: Verdict, durationMs: number, quickMs: number): Manner => {
  if (status !== 'delivered') return 'failed';
  return durationMs > quickMs ? 'slow' : 'quick';
};

/**
 * One attempt: to the URL and with the secret of now, so that a corrected URL and a rotated secret reach what was made
 * before. Tells how the endpoint answered. Undefined: `signal` broke it off, and it is none.
 */
export const makeAttempt = async (
  { client, webhookOf, quickMs, now }: AttemptGround,
  delivery: Claimed,
  signal: AbortSignal,
): Promise<Attempt | undefined> => {
  const target = await webhookOf(delivery.entityId);
  const at = now();
  const attempted = target ? await send(client, target, delivery, at, signal) : withoutTarget;
  if (signal.aborted && attempted.statusCode === null) return undefined;
  const verdict: Verdict = target ? verdictOf(delivery, attempted, now()) : { status: 'dead' };
  const { statusCode, error, durationMs } = attempted;
  const movedTo = target && target.url !== delivery.url ? target.url : null;
  const attempt = { at, movedTo, statusCode, error, durationMs };
  const { id, lease } = delivery;
  return { manner: mannerOf(verdict, durationMs, quickMs), outcome: { id, lease, attempt, verdict } };
};
