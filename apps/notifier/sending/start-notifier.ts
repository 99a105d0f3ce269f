import type pg from 'pg';
import type { Bus } from '#bus';
import type { Logger } from '#platform/logging';
import { hourly } from '#platform/repeat';
import {
  DEPOSIT_EVENTS,
  type DeliveryMetrics,
  knownOrAsked,
  NOTIFIERS,
  pruneBodies,
  type SchedulerOptions,
  startScheduler,
  type Targets,
  type WebhookClient,
} from '#webhooks';
import { type Origin, takeIn } from './take-in.ts';

export type NotifierParts = {
  readonly bus: Pick<Bus, 'ensureTopic' | 'consume'>;
  /** Whether it is in the same Postgres, and so are the places of its consumers. */
  readonly busIsBeside: boolean;
  readonly pool: pg.Pool;
  /** The one that the test-webhook call uses too. */
  readonly client: Pick<WebhookClient, 'post'>;
  /** Whether a delivery is made, for which setting, and whether one is given up. */
  readonly settings: Targets;
  /** Where it goes and what signs it, asked for each attempt: may be some moments old. */
  readonly knownSettings: Targets;
  readonly origin: Origin;
  readonly logger: Logger;
  readonly metrics?: DeliveryMetrics;
  /** How long the body of a delivered webhook is kept; default 30 days. */
  readonly keepBodiesDays?: number;
  readonly scheduling?: Pick<SchedulerOptions, 'limits' | 'leaseMs' | 'pollMs' | 'graceMs' | 'now'>;
};

export type Notifier = {
  /** What is not sent by then stays stored, and is sent by whoever runs next. */
  readonly stop: () => Promise<void>;
};

/** From the bus to the partners' endpoints. Any number of instances share the work. */
export const startNotifier = async (parts: NotifierParts): Promise<Notifier> => {
  const {
    bus,
    busIsBeside,
    pool,
    client,
    settings,
    knownSettings,
    origin,
    logger,
    metrics,
    keepBodiesDays = 30,
    scheduling,
  } = parts;
  await bus.ensureTopic(DEPOSIT_EVENTS);
  const scheduler = startScheduler({
    pool,
    busIsBeside,
    client,
    webhookOf: knownOrAsked(knownSettings.webhookOf, settings.webhookOf),
    webhookOfAffiliate: knownOrAsked(knownSettings.webhookOfAffiliate, settings.webhookOfAffiliate),
    logger,
    ...(metrics && { metrics }),
    ...scheduling,
  });
  const pruning = hourly(
    (stopping) => pruneBodies(pool, keepBodiesDays, stopping),
    logger,
    'old bodies of webhooks could not be pruned',
  );
  const consumer = await bus.consume({
    topic: DEPOSIT_EVENTS,
    group: NOTIFIERS,
    onBatch: takeIn({ logger, origin, make: (webhooks) => scheduler.make(settings, webhooks) }),
  });
  return {
    stop: async () => {
      await consumer.stop();
      await Promise.all([scheduler.stop(), pruning.stop()]);
    },
  };
};
