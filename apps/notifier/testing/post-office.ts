import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Bus } from '#bus';
import { migrations as ofBus, openPostgresBus } from '#bus/postgres';
import { depositStream } from '#deposit-commands';
import type { DepositEvent } from '#deposits';
import type { EventLog, JsonObject } from '#event-log';
import { migrations as ofLog, openPostgresEventLog } from '#event-log/postgres';
import { createLog } from '#platform/logging';
import { createPool } from '#platform/postgres';
import { createSecrets } from '#platform/secrets';
import {
  createWebhookClient,
  createWebhookSeal,
  migrations as ofWebhooks,
  type WebhookSeal,
  type WebhookTarget,
} from '#webhooks';
import { type Relay, startRelay } from '../relay/index.ts';
import { type Notifier, startNotifier } from '../sending/index.ts';

export type PostOffice = {
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly seal: WebhookSeal;
  readonly log: EventLog;
  readonly targets: Map<number, WebhookTarget>;
  /** Casinos that took their setting away a moment ago: whoever remembers settings still knows it. */
  readonly closed: Set<number>;
  /** Casinos that made their setting a moment ago: whoever remembers settings still knows none. */
  readonly unheard: Set<number>;
  /** Writes a deposit's history behind what its stream has. */
  readonly append: (depositId: number, events: readonly DepositEvent[]) => Promise<void>;
  readonly relay: (bus?: Pick<Bus, 'ensureTopic' | 'publish'> & Partial<Pick<Bus, 'identity'>>) => Relay;
  readonly notifier: () => Promise<Notifier>;
  /** What the log of the process says. */
  readonly told: readonly Record<string, unknown>[];
  readonly close: () => Promise<void>;
};

const newEvent = (event: DepositEvent) => ({
  id: randomUUID(),
  type: event.type,
  data: event.data as unknown as JsonObject,
  metadata: { occurredAt: '2026-03-01T12:00:00.000Z', actor: 'engine' },
});

export const postOfficeTables = [ofLog, ofBus, ofWebhooks];

/** The whole way from the log to the endpoints, on a database with their tables. */
export const openPostOffice = async (databaseUrl: string, other?: EventLog): Promise<PostOffice> => {
  const told: Record<string, unknown>[] = [];
  const { logger } = createLog({ level: 'info', to: { write: (line) => told.push(JSON.parse(line)) } });
  const pool = createPool({ url: databaseUrl, applicationName: 'test', logger });
  const log = other ?? (await openPostgresEventLog({ databaseUrl }));
  const bus = openPostgresBus({ databaseUrl, heartbeatMs: 200 });
  const client = createWebhookClient({ allowPrivate: true });
  const targets = new Map<number, WebhookTarget>();
  const closed = new Set<number>();
  const unheard = new Set<number>();
  const running: { readonly stop: () => Promise<void> }[] = [];
  const started = <Running extends { readonly stop: () => Promise<void> }>(one: Running): Running => {
    running.push(one);
    return one;
  };
  const casino = async () => ({ externalCode: 'aurora' });
  const webhookOfAffiliate = async () => undefined;
  const settings = {
    webhookOfAffiliate,
    webhookOf: async (entityId: number) => (closed.has(entityId) ? undefined : targets.get(entityId)),
    known: {
      webhookOf: async (entityId: number) => (unheard.has(entityId) ? undefined : targets.get(entityId)),
      webhookOfAffiliate,
    },
  };
  const seal = createWebhookSeal(createSecrets('a key of tests'));
  return {
    pool,
    seal,
    bus,
    log,
    targets,
    closed,
    unheard,
    told,
    append: async (depositId, events) => {
      await log.append(depositStream(depositId), 'any', events.map(newEvent));
    },
    relay: (carrier = bus) =>
      started(
        startRelay({
          log,
          bus: { identity: bus.identity, ...carrier },
          pool,
          settings: { casino, ...settings },
          seal,
          logger,
          lookEveryMs: 500,
        }),
      ),
    notifier: async () =>
      started(
        await startNotifier({
          bus,
          busIsBeside: true,
          pool,
          client,
          settings,
          knownSettings: settings.known,
          origin: { seal, log, casino },
          logger,
        }),
      ),
    close: async () => {
      await Promise.all(running.map(({ stop }) => stop()));
      await client.close();
      await Promise.all([log.close(), bus.close()]);
      await pool.end();
    },
  };
};
