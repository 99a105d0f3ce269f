import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '#platform/logging';
import { createPause, createWaker } from '#platform/pause';
import type { Queryable } from '#platform/postgres';
import { TIME_LIMIT_MS, type WebhookClient } from '../safe-http/index.ts';
import type { Targets } from '../target.ts';
import type { AttemptParts } from './attempt.ts';
import { claimDue } from './claim.ts';
import { beginLife } from './life.ts';
import type { DeliveryMetrics } from './metrics.ts';
import { createSending } from './sending.ts';
import { defaultLimits, type Limits } from './slots.ts';
import { tellEndpoints } from './told-endpoints.ts';

/** The settings are asked for each attempt, so they had better remember. */
export type SchedulerOptions = Targets & {
  /** Its life has a connection of its own beside it. */
  readonly pool: pg.Pool;
  /** Where its statements go, if not there. */
  readonly db?: Queryable;
  readonly client: Pick<WebhookClient, 'post'>;
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

/** While enough waits here, the next claim takes its time, and takes more at once. */
const CLAIM_EVERY_MS = 40;

/** Sends what is due, for as long as it runs. Any number of instances share the work, a delivery at a time. */
export const startScheduler = (options: SchedulerOptions): Scheduler => {
  const { pool, db = pool, client, webhookOf, webhookOfAffiliate, logger, metrics, now = () => new Date() } = options;
  const { leaseMs = 2 * TIME_LIMIT_MS, pollMs = 500, graceMs = 5_000 } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const settings = { webhookOf, webhookOfAffiliate };
  const parts: AttemptParts = {
    ...settings,
    client,
    logger,
    endpoints: tellEndpoints(logger),
    metrics,
    quickMs: limits.quickMs,
    now,
  };
  const [waker, breath] = [createWaker(), createPause()];
  const life = beginLife({
    pool,
    logger,
    onBegun: (anew) => {
      if (anew) sending.forget();
      sending.goOn();
      waker.wake();
    },
    onTakenOver: waker.wake,
  });
  const sending = createSending({ db, parts, limits, maySend: life.isSeen, onRoom: waker.wake, onLow: breath.end });
  let stopping = false;

  const takeDue = async (): Promise<number> => {
    const room = sending.room();
    if (room.room <= 0 || !life.isSeen()) return 0;
    try {
      const claimed = await claimDue(db, { life: life.id, leaseMs, ...room });
      sending.add(claimed);
      return claimed.length;
    } catch (error) {
      logger.warn({ err: error }, 'cannot look for due webhooks now');
      await delay(pollMs);
      return 0;
    }
  };

  const work = async (): Promise<void> => {
    while (!stopping) {
      if ((await takeDue()) === 0) await waker.wait(pollMs);
      if (!sending.isLow()) await breath.wait(CLAIM_EVERY_MS);
    }
  };
  const working = work();

  return {
    wake: waker.wake,
    stop: async () => {
      stopping = true;
      waker.wake();
      breath.end();
      await working;
      await sending.stop(graceMs);
      await life.stop();
    },
  };
};
