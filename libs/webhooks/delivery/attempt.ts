import type { Logger } from '#platform/logging';
import type { Queryable } from '#platform/postgres';
import type { Attempted, WebhookClient } from '../safe-http/index.ts';
import type { WebhookOf, WebhookTarget } from '../target.ts';
import type { Claimed } from './claim.ts';
import { finishAttempt, releaseLeases, type Verdict } from './finish.ts';
import { headersOf } from './headers.ts';
import type { DeliveryMetrics } from './metrics.ts';
import { nextAttemptInMs } from './schedule.ts';
import type { Manner } from './slots.ts';

export type AttemptGround = {
  readonly db: Queryable;
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

const tell = ({ logger, metrics, now }: AttemptGround, delivery: Claimed, attempted: Attempted, verdict: Verdict) => {
  const { id, webhookId, event, entityId, recordedAt } = delivery;
  metrics?.answered(attempted.statusCode);
  if (verdict.status === 'delivered') metrics?.delivered((now().getTime() - recordedAt.getTime()) / 1_000);
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
): Promise<Attempted> => client.post({ url, headers: headersOf(signing, { webhookId, body, at }), body, signal });

/**
 * One attempt: to the URL and with the secret of now, so that a corrected URL and a rotated secret reach what was made
 * before. Tells how the endpoint answered. An attempt that `signal` broke off is none.
 */
export const attemptDelivery = async (
  ground: AttemptGround,
  delivery: Claimed,
  signal: AbortSignal,
): Promise<Manner> => {
  const { db, client, webhookOf, quickMs, now } = ground;
  const target = await webhookOf(delivery.entityId);
  const at = now();
  const attempted = target ? await send(client, target, delivery, at, signal) : withoutTarget;
  if (signal.aborted && attempted.statusCode === null) {
    await releaseLeases(db, [delivery]);
    return 'failed';
  }
  const verdict: Verdict = target ? verdictOf(delivery, attempted, now()) : { status: 'dead' };
  const { statusCode, error, durationMs } = attempted;
  await finishAttempt(db, delivery, { at, url: target?.url, statusCode, error, durationMs }, verdict);
  tell(ground, delivery, attempted, verdict);
  if (verdict.status !== 'delivered') return 'failed';
  return durationMs > quickMs ? 'slow' : 'quick';
};
