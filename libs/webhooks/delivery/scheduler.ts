import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '#platform/logging';
import { createPause, createWaker } from '#platform/pause';
import type { Queryable } from '#platform/postgres';
import type { Webhook } from '../payloads/index.ts';
import { TIME_LIMIT_MS, type WebhookClient } from '../safe-http/index.ts';
import type { Targets } from '../target.ts';
import type { AttemptParts } from './attempt.ts';
import { type Claimed, claimDue } from './claim.ts';
import { keepEndpointHealth } from './endpoint-health.ts';
import { beginLife } from './life.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { type MadeDeliveries, makeDeliveries } from './make-deliveries.ts';
import type { DeliveryMetrics } from './metrics.ts';
import type { Part, Room } from './room.ts';
import { createSending } from './sending.ts';
import { tellEndpoints } from './told-endpoints.ts';

/** The settings are asked for each attempt, so they had better remember. */
export type SchedulerOptions = Targets & {
  /** Its life has a connection of its own beside it. */
  readonly pool: pg.Pool;
  /** Where its statements go, if not there. */
  readonly db?: Queryable;
  /** Whether the place of whoever lets it make deliveries is kept in the same Postgres; default false. */
  readonly busIsBeside?: boolean;
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
  /** Stores deliveries, and starts at once what nothing older waits before. */
  readonly make: (settings: Targets, webhooks: readonly Webhook[]) => Promise<MadeDeliveries>;
  /** Takes nothing more; what does not end in time is given back, for another instance to send at once. */
  readonly stop: () => Promise<void>;
};

/** While enough waits here, the next claim takes its time, and takes more at once. */
const CLAIM_EVERY_MS = 40;

const leastOf = (part: Part): number => Math.min(...Object.values(part));

/** Whether a claim may have passed over something that is due: of an endpoint or an affiliate that it took its fill of. */
const mayLeave = ({ known, parts, partOfOthers }: Room, claimed: readonly Claimed[]): boolean => {
  const taken = Map.groupBy(claimed, ({ endpoint }) => endpoint);
  const takenBy = Map.groupBy(claimed, ({ owner }) => owner);
  const isFull = (endpoint: string): boolean => (taken.get(endpoint)?.length ?? 0) >= (known.get(endpoint)?.ahead ?? 1);
  const isSated = (owner: number): boolean =>
    (takenBy.get(owner)?.length ?? 0) >= leastOf(parts.get(owner) ?? partOfOthers);
  return [...known.keys(), ...taken.keys()].some(isFull) || [...parts.keys(), ...takenBy.keys()].some(isSated);
};

/** Sends what is due, for as long as it runs. Any number of instances share the work, a delivery at a time. */
export const startScheduler = (options: SchedulerOptions): Scheduler => {
  const { pool, db = pool, client, webhookOf, webhookOfAffiliate, logger, metrics, now = () => new Date() } = options;
  const { leaseMs = 2 * TIME_LIMIT_MS, pollMs = 500, graceMs = 5_000, busIsBeside = false } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const settings = { webhookOf, webhookOfAffiliate };
  const health = keepEndpointHealth(db, logger);
  const parts: AttemptParts = {
    ...settings,
    client,
    logger,
    endpoints: tellEndpoints(logger),
    health,
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
  const onRoom = (): void => {
    if (leftOver) waker.wake();
  };
  const sending = createSending({ db, parts, limits, maySend: life.isSeen, onRoom, onLow: breath.end });
  let stopping = false;
  /** Due deliveries may be waiting that there was no room for. */
  let leftOver = true;

  const takeDue = async (): Promise<number> => {
    const room = sending.room();
    leftOver = true;
    if (room.room <= 0 || !life.isSeen()) return 0;
    try {
      const claimed = await claimDue(db, { life: life.id, leaseMs, ...room });
      leftOver = mayLeave(room, claimed);
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
    make: async (settings, webhooks) => {
      const taker = { life: life.id, leaseMs, room: sending.room() };
      const making = { taker: life.isSeen() ? taker : undefined, busIsBeside };
      const made = await makeDeliveries(db, settings, webhooks, making);
      sending.add(made.claimed);
      if (made.claimed.length < made.count) waker.wake();
      return made;
    },
    stop: async () => {
      stopping = true;
      waker.wake();
      breath.end();
      await working;
      await sending.stop(graceMs);
      await health.stop();
      await life.stop();
    },
  };
};
