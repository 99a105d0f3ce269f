import type pg from 'pg';
import { type Demonstration, openPartners, type Partners } from '#partners';
import type { Configuration } from '#platform/configuration';
import { createHealth, type Health } from '#platform/health';
import { createHttpApp, drainOnStop, listen } from '#platform/http';
import type { Lifecycle } from '#platform/lifecycle';
import type { Logger } from '#platform/logging';
import { createMetrics } from '#platform/metrics';
import { createPool } from '#platform/postgres';
import { createSecrets, loadSecretsKey } from '#platform/secrets';
import { serveDocs } from '../api/openapi/serve-docs.ts';
import { allModule } from './app.module.ts';
import { openDatabase } from './database.ts';
import { migrateAll } from './migrations.ts';
import { checkPlace } from './place.ts';
import { askBus, openBus, openEventLog } from './stores.ts';
import { tellMissing } from './tell-missing.ts';

export type StartParts = {
  readonly configuration: Configuration;
  readonly lifecycle: Lifecycle;
  readonly logger: Logger;
  /** The embedded Postgres ended by itself: nothing can go on. */
  readonly onLost: (reason: string) => void;
};

export type Started = { readonly url: string; readonly demonstration: Demonstration | undefined };

type Ground = StartParts & { readonly databaseUrl: string; readonly health: Health };

const openAccounts = async ({ configuration, lifecycle, logger, databaseUrl, health }: Ground): Promise<Partners> => {
  const pool: pg.Pool = createPool({ url: databaseUrl, applicationName: 'cointill', logger });
  lifecycle.onStop('close-stores', 'the database connections', () => pool.end());
  health.addCheck('database', () => pool.query('SELECT 1'));
  const secrets = createSecrets(await loadSecretsKey(configuration.secretsKey, configuration.dataDir));
  const partners = await openPartners({ pool, url: databaseUrl, secrets, logger });
  lifecycle.onStop('stop-consumers', 'the listener for changes of accounts', partners.close);
  return partners;
};

const openStores = async ({ configuration, lifecycle, logger, databaseUrl, health }: Ground): Promise<void> => {
  const [eventLog, bus] = await Promise.all([
    openEventLog(configuration.eventStore, { databaseUrl, logger }),
    openBus(configuration.bus, { databaseUrl, logger }),
  ]);
  lifecycle.onStop('close-stores', 'the event log', eventLog.close);
  lifecycle.onStop('close-stores', 'the bus', bus.close);
  health.addCheck('event log', eventLog.head);
  health.addCheck('bus', () => askBus(bus));
};

const serve = async (ground: Ground, partners: Partners): Promise<string> => {
  const { configuration, lifecycle, logger, health } = ground;
  const metrics = createMetrics();
  const app = await createHttpApp(allModule({ health, metrics, partners }), { logger, metrics });
  serveDocs(app);
  const url = await listen(app, configuration.http);
  drainOnStop(app, lifecycle);
  return url;
};

/** Everything that one process needs, from the ground up; `lifecycle` knows how to take it down again. */
export const start = async (parts: StartParts): Promise<Started> => {
  const { configuration, lifecycle } = parts;
  await checkPlace(configuration.http);
  const databaseUrl = await openDatabase(configuration, parts);
  const health = createHealth();
  lifecycle.onStop('not-ready', 'readiness', health.startStopping);
  const ground: Ground = { ...parts, databaseUrl, health };
  await migrateAll(databaseUrl, configuration);
  const [partners] = await Promise.all([openAccounts(ground), openStores(ground)]);
  const url = await serve(ground, partners);
  // Last, so that a start that fails does not use up the one showing of the key.
  const demonstration = await partners.createDemonstration();
  partners.forget();
  void tellMissing(health, configuration, parts.logger);
  return { url, demonstration };
};
