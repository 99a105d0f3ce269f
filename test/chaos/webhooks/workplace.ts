import { flushCompileCache } from 'node:module';
import type pg from 'pg';
import type { Bus } from '#bus';
import { openPartners, type Partners } from '#partners';
import { silentLogger } from '#platform/logging';
import { createPool } from '#platform/postgres';
import { createSecrets } from '#platform/secrets';
import { createWebhookSeal, type WebhookSeal } from '#webhooks';
import { type Carrier, type Orders, SECRETS_KEY } from './orders.ts';

const openCarrier = async (carrier: Carrier, databaseUrl: string): Promise<Bus> => {
  if (carrier.kind === 'postgres') return (await import('#bus/postgres')).openPostgresBus({ databaseUrl });
  const { brokers, sessionTimeoutMs } = carrier;
  return (await import('#bus/kafka')).openKafkaBus({ brokers, sessionTimeoutMs });
};

export type Workplace = {
  readonly orders: Orders;
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly partners: Partners;
  readonly seal: WebhookSeal;
};

/** What a relay and a notifier of a process of their own stand on. They end with the test, however that ends. */
export const openWorkplace = async (): Promise<Workplace> => {
  process.once('disconnect', () => process.exit());
  // Only the test writes it.
  const orders: Orders = JSON.parse(process.argv[2] ?? '{}');
  const { databaseUrl: url, carrier } = orders;
  const pool = createPool({ url, applicationName: 'webhooks', logger: silentLogger });
  const secrets = createSecrets(SECRETS_KEY);
  const partners = await openPartners({ pool, secrets, logger: silentLogger });
  return { seal: createWebhookSeal(secrets), orders, pool, bus: await openCarrier(carrier, url), partners };
};

/** The test takes it for started from here on: before, it may end for want of a server and is started again. */
export const sayReady = (): void => {
  // Kept at an exit, which it hardly comes to: the next life begins the sooner.
  flushCompileCache();
  process.send?.('ready');
};
