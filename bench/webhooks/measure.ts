import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { makeDeliveries, type Scheduler, type WebhookOf } from '#webhooks';
import type { Endpoints } from './endpoints.ts';

export type Post = {
  readonly pool: pg.Pool;
  readonly endpoints: Endpoints;
  readonly webhookOf: WebhookOf;
  readonly scheduler: Scheduler;
};

const webhook = (mark: string, entityId: number) => ({
  webhookId: randomUUID(),
  event: 'deposit.accepted' as const,
  depositId: entityId,
  entityId,
  body: `${mark}\n${'x'.repeat(700)}`,
  recordedAt: new Date().toISOString(),
});

const untilArrived = async ({ arrivals }: Endpoints, count: number): Promise<void> => {
  while (arrivals.size < count) await delay(2);
};

/** Deliveries per second when `count` wait at once. */
export const throughput = async (post: Post, count: number): Promise<number> => {
  const { pool, endpoints, webhookOf, scheduler } = post;
  endpoints.arrivals.clear();
  const webhooks = Array.from({ length: count }, (_, n) => webhook(`${n}`, (n % endpoints.urls.length) + 1));
  const start = performance.now();
  for (let from = 0; from < count; from += 500) {
    await makeDeliveries(pool, webhookOf, webhooks.slice(from, from + 500));
    scheduler.wake();
  }
  await untilArrived(endpoints, count);
  return (count / (performance.now() - start)) * 1_000;
};

/** Milliseconds from the making of each delivery to its arrival, when they come at a steady pace. */
export const latencies = async (post: Post, count: number, perSecond: number): Promise<readonly number[]> => {
  const { pool, endpoints, webhookOf, scheduler } = post;
  endpoints.arrivals.clear();
  const made: number[] = [];
  const start = performance.now();
  for (let n = 0; n < count; n++) {
    await delay(Math.max(0, start + (n * 1_000) / perSecond - performance.now()));
    made.push(performance.now());
    await makeDeliveries(pool, webhookOf, [webhook(`${n}`, (n % endpoints.urls.length) + 1)]);
    scheduler.wake();
  }
  await untilArrived(endpoints, count);
  return made.map((at, n) => (endpoints.arrivals.get(`${n}`) ?? Number.NaN) - at);
};

/** Deliveries of the past, done and with an attempt each. */
export const fillDone = async (pool: pg.Pool, count: number): Promise<void> => {
  const step = 100_000;
  for (let from = 0; from < count; from += step)
    await pool.query(
      `WITH made AS (
         INSERT INTO webhook_deliveries (webhook_id, event, deposit_id, entity_id, endpoint, url, body, recorded_at,
                                         status, due_at, done_at)
         SELECT gen_random_uuid(), 'deposit.accepted', n, n % 100, 'entity ' || n % 100, 'http://127.0.0.1/',
                repeat('x', 700), now(), 'delivered', NULL, now()
         FROM generate_series(1, $1::int) AS n RETURNING id)
       INSERT INTO webhook_attempts (delivery_id, at, status_code, duration_ms) SELECT id, now(), 200, 10 FROM made`,
      [Math.min(step, count - from)],
    );
};
