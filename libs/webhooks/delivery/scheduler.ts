import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '#platform/logging';
import type { Queryable } from '#platform/postgres';
import { TIME_LIMIT_MS, type WebhookClient } from '../safe-http/index.ts';
import type { WebhookOf } from '../target.ts';
import { type AttemptGround, attemptDelivery } from './attempt.ts';
import { type Claimed, claimDue } from './claim.ts';
import type { DeliveryMetrics } from './metrics.ts';
import { createSlots, defaultLimits, type Limits, type Manner, type Slots } from './slots.ts';
import { createWaker } from './waker.ts';

export type SchedulerOptions = {
  readonly db: Queryable;
  readonly client: Pick<WebhookClient, 'post'>;
  readonly webhookOf: WebhookOf;
  readonly logger: Logger;
  readonly metrics?: DeliveryMetrics;
  readonly limits?: Partial<Limits>;
  /** Default: twice the time limit of an attempt. */
  readonly leaseMs?: number;
  /** How soon a delivery is seen that became due by itself, or was made elsewhere. */
  readonly pollMs?: number;
  /** How long `stop` lets attempts end by themselves. */
  readonly graceMs?: number;
  readonly now?: () => Date;
};

export type Scheduler = {
  /** Something new may be due: look at once. */
  readonly wake: () => void;
  /** Takes nothing more; what does not end in time is given back, for another instance to send at once. */
  readonly stop: () => Promise<void>;
};

const claimInto = async (db: Queryable, slots: Slots, leaseMs: number): Promise<readonly Claimed[]> => {
  const room = slots.room();
  if (room.room <= 0) return [];
  const claimed = await claimDue(db, { leaseMs, ...room });
  for (const { endpoint } of claimed) slots.take(endpoint);
  return claimed;
};

/** Sends what is due, for as long as it runs. Any number of instances share the work, a delivery at a time. */
export const startScheduler = (options: SchedulerOptions): Scheduler => {
  const { db, client, webhookOf, logger, metrics, now = () => new Date() } = options;
  const { leaseMs = 2 * TIME_LIMIT_MS, pollMs = 500, graceMs = 5_000 } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const ground: AttemptGround = { db, client, webhookOf, logger, metrics, quickMs: limits.quickMs, now };
  const slots = createSlots(limits);
  const waker = createWaker();
  const underWay = new Set<Promise<void>>();
  const breakingOff = new AbortController();
  let stopping = false;

  const run = async (delivery: Claimed): Promise<void> => {
    let manner: Manner = 'failed';
    try {
      manner = await attemptDelivery(ground, delivery, breakingOff.signal);
    } catch (error) {
      // The delivery comes up again when its lease ends, here or elsewhere.
      logger.warn({ err: error, delivery_id: delivery.id }, 'what came of a webhook attempt could not be stored');
    }
    slots.free(delivery.endpoint, manner);
    metrics?.inFlight(slots.inFlight());
    waker.wake();
  };

  const start = (delivery: Claimed): void => {
    const running = run(delivery).finally(() => underWay.delete(running));
    underWay.add(running);
  };

  const takeDue = async (): Promise<number> => {
    try {
      const claimed = await claimInto(db, slots, leaseMs);
      claimed.forEach(start);
      metrics?.inFlight(slots.inFlight());
      return claimed.length;
    } catch (error) {
      logger.warn({ err: error }, 'cannot look for due webhooks now');
      await delay(pollMs);
      return 0;
    }
  };

  const work = async (): Promise<void> => {
    while (!stopping) if ((await takeDue()) === 0) await waker.pause(pollMs);
  };
  const working = work();

  return {
    wake: waker.wake,
    stop: async () => {
      stopping = true;
      waker.wake();
      await working;
      const ended = Promise.all(underWay);
      const grace = new AbortController();
      await Promise.race([ended, delay(graceMs, undefined, { signal: grace.signal }).catch(() => undefined)]);
      grace.abort();
      breakingOff.abort();
      await ended;
    },
  };
};
