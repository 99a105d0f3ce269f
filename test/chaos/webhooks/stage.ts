import type pg from 'pg';
import { migrations as ofBus } from '#bus/postgres';
import type { EventLog } from '#event-log';
import { migrations as ofLog, openPostgresEventLog } from '#event-log/postgres';
import { migrations as ofPartners, openPartners } from '#partners';
import { silentLogger } from '#platform/logging';
import { migrate } from '#platform/migrations';
import { createPool } from '#platform/postgres';
import { createSecrets } from '#platform/secrets';
import { migrations as ofWebhooks } from '#webhooks';
import { addCasinos, type ChaosCasino, manners } from './casinos.ts';
import { openEndpoints } from './endpoints.ts';
import { type Kept, keepRunning } from './keep-running.ts';
import { type Ledger, openLedger } from './ledger.ts';
import { type Orders, SECRETS_KEY } from './orders.ts';

export type Stage = {
  readonly pool: pg.Pool;
  readonly log: EventLog;
  readonly casinos: readonly ChaosCasino[];
  readonly arrived: Ledger;
  readonly relay: Kept;
  readonly notifier: Kept;
  /** Another notifier beside the first; resolves once it has started. */
  readonly standBy: () => Promise<void>;
  readonly close: () => Promise<void>;
};

const prepare = async (pool: pg.Pool, url: string, urls: readonly string[]): Promise<readonly ChaosCasino[]> => {
  for (const migrations of [ofPartners, ofLog, ofBus, ofWebhooks]) await migrate(url, migrations);
  const partners = await openPartners({ pool, secrets: createSecrets(SECRETS_KEY), logger: silentLogger });
  try {
    return await addCasinos(partners, urls);
  } finally {
    await partners.close();
  }
};

/** The whole way from the log to 50 endpoints, with relay and notifier in processes of their own. */
export const openStage = async (orders: Orders): Promise<Stage> => {
  const { databaseUrl: url } = orders;
  const arrived = openLedger();
  const endpoints = await openEndpoints(manners, arrived.note);
  const pool = createPool({ url, applicationName: 'test', logger: silentLogger });
  const casinos = await prepare(pool, url, endpoints.urls);
  const log = await openPostgresEventLog({ databaseUrl: url, patienceMs: 120_000 });
  const relay = keepRunning('relay.main.ts', orders);
  const notifier = keepRunning('notifier.main.ts', orders);
  const others: Kept[] = [];
  const standBy = async (): Promise<void> => {
    const other = keepRunning('notifier.main.ts', orders);
    others.push(other);
    await other.ready();
  };
  const close = async (): Promise<void> => {
    await Promise.all([relay, notifier, ...others].map(({ stop }) => stop()));
    await endpoints.stop();
    await log.close();
    await pool.end();
  };
  try {
    await Promise.all([relay.ready(), notifier.ready()]);
  } catch (error) {
    await close();
    throw error;
  }
  return { pool, log, casinos, arrived, relay, notifier, standBy, close };
};

/** The places of the endpoints of these manners. */
export const endpointsThat = (...wanted: readonly string[]): ReadonlySet<number> =>
  new Set(manners.flatMap((manner, place) => (wanted.includes(manner) ? [place] : [])));
