import type pg from 'pg';
import type { Bus } from '#bus';
import type { EventLog, ExchangeableLog, LogLabel } from '#event-log';
import { openPartners, openSecrets, type Partners } from '#partners';
import type { Configuration } from '#platform/configuration';
import type { Health } from '#platform/health';
import type { Lifecycle } from '#platform/lifecycle';
import type { Logger } from '#platform/logging';
import { createMetrics, type Metrics } from '#platform/metrics';
import { checkWritable, createPool } from '#platform/postgres';
import { loadSecretsKey, type Secrets } from '#platform/secrets';
import { rememberedPlaces, stopWaiting } from '#read-models';
import { createWebhookClient, type WebhookClient } from '#webhooks';
import { createNameOfLog, type NameOfLog } from './name-of-log.ts';
import { streamRows } from './projections.ts';
import { askChecks } from './same-checks.ts';
import { askBus, openBus, openEventLog } from './stores.ts';
import { tellAlerts } from './tell-alerts.ts';
import { type TellBroken, tellBroken } from './tell-broken.ts';
import { tellRefusals } from './tell-refusals.ts';
import { type HeldBack, heldBack } from './until-ours.ts';

export type GroundParts = {
  readonly configuration: Configuration;
  readonly lifecycle: Lifecycle;
  readonly logger: Logger;
  readonly databaseUrl: string;
  readonly health: Health;
  /** Of the process, as databases and brokers list their clients. */
  readonly name: string;
  /** The installation was given another engine: this process must not go on. */
  readonly onAnotherEngine: (reason: string) => void;
  /** The same for one that keeps its history elsewhere. */
  readonly onAnotherLog: (reason: string) => void;
};

type Claim = HeldBack & {
  readonly label: LogLabel;
  readonly name: NameOfLog;
};

/** What every part of the service stands on. */
export type Ground = GroundParts & {
  readonly pool: pg.Pool;
  readonly log: EventLog;
  /** Where the log is kept elsewhere: what it says of whose it is, and the log itself, which is held back until then. */
  readonly claim: Claim | undefined;
  readonly broken: TellBroken['broken'];
  readonly bus: Bus;
  readonly secrets: Secrets;
  readonly partners: Partners;
  readonly metrics: Metrics;
  /** The test-webhook call and the notifier are one to partners' endpoints. */
  readonly webhookClient: WebhookClient;
};

const openPool = ({ configuration, lifecycle, logger, databaseUrl, health, name }: GroundParts): pg.Pool => {
  const max = configuration.connections.database;
  const pool = createPool({ url: databaseUrl, applicationName: name, logger, max });
  lifecycle.onStop('close-stores', 'the database connections', async () => {
    await stopWaiting(pool);
    await pool.end();
  });
  tellRefusals(pool, { health, logger });
  health.addCheck('database', () => checkWritable(pool));
  return pool;
};

const claimOf = (opened: ExchangeableLog, held: HeldBack): Claim => ({
  ...held,
  ...{ label: opened.label, log: opened },
  name: createNameOfLog(),
});

const openStores = async (
  parts: GroundParts,
  pool: pg.Pool,
  metrics: Metrics,
): Promise<Pick<Ground, 'broken' | 'bus' | 'claim' | 'log'>> => {
  const { configuration, lifecycle, logger, databaseUrl, health, name } = parts;
  const [{ broken, ...told }, connections] = [tellBroken(parts), configuration.connections.log];
  const opened = await openEventLog(configuration.eventStore, {
    ...{ databaseUrl, connections, logger, metrics, ...told },
    remembered: rememberedPlaces(pool, streamRows),
  });
  const held = opened.label && heldBack(opened);
  const claim = opened.label && held && claimOf(opened, held);
  const log = tellAlerts(held?.log ?? opened, logger);
  const bus = await openBus(configuration.bus, { databaseUrl, logger, name });
  // Who asks that of a log that is away would hold up the end for as long as a call is tried.
  if (opened.label) lifecycle.onStop('stop-consumers', 'the wait for whose the log is', opened.label.leave);
  lifecycle.onStop('close-stores', 'the event log', log.close);
  lifecycle.onStop('close-stores', 'the bus', bus.close);
  health.addCheck('event log', log.head);
  // What partners create, decide and read needs no bus, and webhooks wait until it is back.
  health.addCheck('bus', () => askBus(bus), 'at first');
  return { broken, log, claim, bus };
};

const openAccounts = async (parts: GroundParts, pool: pg.Pool, secrets: Secrets): Promise<Partners> => {
  const { configuration, lifecycle, logger } = parts;
  const partners = await openPartners({
    pool,
    secrets,
    logger,
    checks: askChecks(configuration, pool),
  });
  lifecycle.onStop('stop-consumers', 'the listener for changes of accounts', partners.close);
  return partners;
};

const openWebhookClient = ({ configuration, lifecycle }: GroundParts): WebhookClient => {
  const client = createWebhookClient({ allowPrivate: configuration.webhooks.allowPrivate });
  lifecycle.onStop('close-stores', 'the connections to webhook endpoints', client.close);
  return client;
};

export const openGround = async (parts: GroundParts): Promise<Ground> => {
  const { configuration } = parts;
  const metrics = createMetrics();
  const pool = openPool(parts);
  const secrets = await openSecrets(pool, () => loadSecretsKey(configuration.secretsKey, configuration.dataDir));
  // One after the other: from a cold disk the stores' clients take this process seconds to load, in which it hears
  // nothing else, and whatever is connecting meanwhile would run out of its time.
  const stores = await openStores(parts, pool, metrics);
  const partners = await openAccounts(parts, pool, secrets);
  const webhookClient = openWebhookClient(parts);
  return { ...parts, ...stores, pool, secrets, partners, metrics, webhookClient };
};
