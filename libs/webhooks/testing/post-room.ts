import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { silentLogger } from '#platform/logging';
import { createPool } from '#platform/postgres';
import { type Claimed, type ClaimOptions, claimDue } from '../delivery/claim.ts';
import { writeLife } from '../delivery/lives.ts';
import type { Room } from '../delivery/room.ts';
import {
  createWebhookClient,
  type DepositWebhook,
  listDeliveries,
  makeDeliveries,
  type Scheduler,
  type SchedulerOptions,
  startScheduler,
  type Targets,
  type WebhookClient,
  type WebhookTarget,
} from '../index.ts';

export const targetAt = (url: string, changes: Partial<WebhookTarget> = {}): WebhookTarget => ({
  url,
  secret: 'shh',
  previousSecrets: [],
  source: 'entity_override',
  apiKeyId: null,
  affiliateId: 1,
  ...changes,
});

export type PostRoom = {
  readonly pool: pg.Pool;
  readonly settings: Targets;
  readonly client: WebhookClient;
  /** Where the webhooks of each casino go; a test changes it as it likes. */
  readonly targets: Map<number, WebhookTarget>;
  /** Webhooks of a casino, each of an event of its own; returns how many deliveries were made. */
  readonly made: (entityId: number, count?: number) => Promise<number>;
  readonly scheduler: (options?: Partial<SchedulerOptions>) => Scheduler;
  /** By hand, for somebody who is not there. */
  readonly claim: (options: Omit<ClaimOptions, 'life'>) => Promise<readonly Claimed[]>;
  readonly list: (entityId: number) => ReturnType<typeof listDeliveries>;
  /** Lets time pass for everything that waits. */
  readonly makeDue: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Each of an event of its own. */
export const webhooksOf = (entityId: number, count = 1): readonly DepositWebhook[] =>
  Array.from({ length: count }, (_, n) => ({
    webhookId: randomUUID(),
    event: 'transaction.pending' as const,
    depositId: n,
    entityId,
    body: `{"n":${n}}`,
    recordedAt: new Date().toISOString(),
  }));

/** Room for so many of a casino that answers quickly, and for nothing else. */
export const roomFor = (entityId: number, most: number): Room => ({
  room: most,
  known: new Map([[`entity ${entityId}`, { owner: 1, ahead: most, once: false }]]),
  parts: new Map(),
  partOfOthers: { quick: most, fresh: 0, doubtful: 0 },
});

/** Everything between a stored delivery and an endpoint, on a database with the tables of webhooks. */
export const openPostRoom = async (databaseUrl: string, timeLimitMs = 1_000): Promise<PostRoom> => {
  const pool = createPool({ url: databaseUrl, applicationName: 'test', logger: silentLogger });
  const client = createWebhookClient({ allowPrivate: true, timeLimitMs });
  const targets = new Map<number, WebhookTarget>();
  const webhookOf = async (entityId: number): Promise<WebhookTarget | undefined> => targets.get(entityId);
  const settings = { webhookOf, webhookOfAffiliate: async () => undefined };
  const nobody = randomUUID();
  const running: Scheduler[] = [];
  return {
    pool,
    client,
    targets,
    settings,
    made: async (entityId, count = 1) => (await makeDeliveries(pool, settings, webhooksOf(entityId, count))).count,
    scheduler: (options = {}) => {
      const scheduler = startScheduler({
        pool,
        client,
        ...settings,
        logger: silentLogger,
        pollMs: 20,
        graceMs: 0,
        ...options,
      });
      running.push(scheduler);
      return scheduler;
    },
    claim: async (options) => {
      await writeLife(pool, nobody);
      return claimDue(pool, { ...options, life: nobody });
    },
    list: (entityId) => listDeliveries(pool, { entityId }),
    makeDue: async () => {
      await pool.query('UPDATE webhooks_undelivered SET due_at = now() WHERE due_at IS NOT NULL AND lease IS NULL');
    },
    close: async () => {
      await Promise.all(running.map((scheduler) => scheduler.stop()));
      await client.close();
      await pool.end();
    },
  };
};
