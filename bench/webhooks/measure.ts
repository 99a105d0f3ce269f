import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { silentLogger } from '#platform/logging';
import { type DeliveryMetrics, makeDeliveries, startScheduler, type Webhook } from '#webhooks';
import { clock } from '../lib/clock.ts';
import type { Stage } from './stage.ts';
import { makeWebhooks } from './webhooks.ts';

const STORED_AT_A_TIME = 500;

const store = async ({ pool, settings }: Stage, webhooks: readonly Webhook[]): Promise<void> => {
  for (let from = 0; from < webhooks.length; from += STORED_AT_A_TIME)
    await makeDeliveries(pool, settings, webhooks.slice(from, from + STORED_AT_A_TIME), { busIsBeside: true });
};

/** Resolves when so many deliveries are stored as delivered. */
const countDelivered = (goal: number) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let delivered = 0;
  const metrics: DeliveryMetrics = {
    inFlight: () => undefined,
    answered: () => undefined,
    delivered: () => {
      delivered += 1;
      if (delivered === goal) resolve();
    },
    dead: () => undefined,
  };
  return { all: promise, metrics };
};

/** The database as a scheduler sees it: while the gate is shut, it waits for its answers. */
const openGate = (pool: pg.Pool) => {
  let passing = Promise.withResolvers<void>();
  passing.resolve();
  const query = async (asked: pg.QueryConfig, values?: unknown[]): Promise<unknown> => {
    await passing.promise;
    return pool.query(asked, values);
  };
  return {
    // The one of its many signatures that is asked here.
    db: { query: query as pg.Pool['query'] },
    open: () => passing.resolve(),
    shut: () => {
      passing = Promise.withResolvers<void>();
    },
  };
};

const checkArrived = async ({ endpoints }: Stage, webhooks: readonly Webhook[]): Promise<void> => {
  const arrived = await endpoints.arrivals();
  const missing = webhooks.filter(({ webhookId }) => !arrived.has(webhookId)).length;
  if (missing > 0) throw new Error(`${missing} of ${webhooks.length} never arrived`);
};

/** Deliveries per second of a sender, from its start until it has done with all of them. */
export type Sender = (stage: Stage, count: number) => Promise<number>;

const timed = async (count: number, send: () => Promise<void>): Promise<number> => {
  const start = clock();
  await send();
  return (count / (clock() - start)) * 1_000;
};

/** All are stored and due when the scheduler is let at them; done is what is stored as delivered. */
export const ours: Sender = async (stage, count) => {
  const { client, knownSettings } = stage;
  const gate = openGate(stage.pool);
  const { all, metrics } = countDelivered(count);
  // It runs already, as it does in a service, and like the bare sender it has sent to these endpoints before.
  const [warmUp, webhooks] = [stage.entityIds.length * 10, makeWebhooks(count, stage.entityIds)];
  const warm = countDelivered(warmUp);
  let told: DeliveryMetrics = warm.metrics;
  const forwarded: DeliveryMetrics = { ...metrics, delivered: (seconds) => told.delivered(seconds) };
  await store(stage, makeWebhooks(warmUp, stage.entityIds));
  const scheduler = startScheduler({
    ...knownSettings,
    ...{ pool: stage.pool, db: gate.db, client, logger: silentLogger, metrics: forwarded },
  });
  await warm.all;
  gate.shut();
  told = metrics;
  await store(stage, webhooks);
  const perSecond = await timed(count, () => {
    gate.open();
    return all;
  });
  await scheduler.stop();
  await checkArrived(stage, webhooks);
  return perSecond;
};

/** All are in memory when it starts; done is who is answered. */
export const bare: Sender = async (stage, count) => {
  const webhooks = makeWebhooks(count, stage.entityIds);
  const perSecond = await timed(count, () => stage.bare.send(webhooks));
  await checkArrived(stage, webhooks);
  return perSecond;
};

/** Milliseconds from the making of each delivery to its arrival, when they come at a steady pace. */
export const latencies = async (stage: Stage, count: number, perSecond: number): Promise<readonly number[]> => {
  const { pool: db, client, settings, knownSettings, endpoints } = stage;
  const { all, metrics } = countDelivered(count);
  const scheduler = startScheduler({ ...knownSettings, pool: db, client, logger: silentLogger, metrics });
  const made = new Map<string, number>();
  const start = clock();
  for (const [n, webhook] of makeWebhooks(count, stage.entityIds).entries()) {
    await delay(Math.max(0, start + (n * 1_000) / perSecond - clock()));
    made.set(webhook.webhookId, clock());
    await makeDeliveries(db, settings, [webhook], { busIsBeside: true });
    scheduler.wake();
  }
  await all;
  await scheduler.stop();
  const arrived = await endpoints.arrivals();
  return [...made].map(([id, at]) => (arrived.get(id) ?? Number.NaN) - at);
};
