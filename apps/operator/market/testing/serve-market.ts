import type pg from 'pg';
import { migrations as addressMigrations, openAddresses } from '#addresses';
import { migrations as currencyMigrations, openCurrencies } from '#currencies';
import { knowingOperators } from '#door/access';
import { createHttpApp, listen } from '#door/http';
import { serveDocs } from '#door/openapi';
import { openPartners, migrations as partnerMigrations } from '#partners';
import { silentLogger } from '#platform/logging';
import { createMetrics } from '#platform/metrics';
import { migrate } from '#platform/migrations';
import { createPool } from '#platform/postgres';
import { createSecrets } from '#platform/secrets';
import { openRates, migrations as rateMigrations, simulatedRates } from '#rates';
import { type MarketParts, marketRoutes } from '../routes.ts';

const LIBS = [partnerMigrations, currencyMigrations, rateMigrations, addressMigrations];

export type Answer = { readonly status: number; readonly body: unknown };

export type ServedMarket = MarketParts & {
  readonly pool: pg.Pool;
  readonly call: (token: string, method: string, path: string, body?: unknown) => Promise<Answer>;
  /** A token of each role. */
  readonly tokens: Readonly<Record<'admin' | 'ops' | 'auditor' | 'engine', string>>;
  readonly close: () => Promise<void>;
};

/** The operators' routes of the market, as the apps serve them, on a port of its own. */
export const serveMarket = async (databaseUrl: string): Promise<ServedMarket> => {
  for (const lib of LIBS) await migrate(databaseUrl, lib);
  const logger = silentLogger;
  const pool = createPool({ url: databaseUrl, applicationName: 'test', logger });
  const secrets = createSecrets('a key of tests');
  const partners = await openPartners({ pool, secrets, logger });
  const currencies = openCurrencies({ pool });
  const rates = openRates({ pool, logger, sources: [simulatedRates()] });
  const addresses = await openAddresses({ pool, secrets, logger, demo: true });
  const parts = { currencies, rates, addresses };
  const app = await createHttpApp([knowingOperators(partners.authenticateOperator), marketRoutes(parts)], {
    logger,
    metrics: createMetrics(),
  });
  serveDocs(app);
  const url = await listen(app, { host: '127.0.0.1', port: 0 });
  const tokenOf = async (role: 'admin' | 'ops' | 'auditor' | 'engine') =>
    (await partners.accounts.tokens.add('test', { role })).token;
  const [admin, ops] = [await tokenOf('admin'), await tokenOf('ops')];
  const [auditor, engine] = [await tokenOf('auditor'), await tokenOf('engine')];
  return {
    ...parts,
    pool,
    tokens: { admin, ops, auditor, engine },
    call: async (token, method, path, body) => {
      const content = body === undefined ? {} : { 'content-type': 'application/json' };
      const headers = { authorization: `Bearer ${token}`, ...content };
      const sent = body === undefined ? null : JSON.stringify(body);
      const response = await fetch(`${url}${path}`, { method, headers, body: sent });
      return { status: response.status, body: await response.json() };
    },
    close: async () => {
      await app.close();
      await addresses.close();
      await partners.close();
      await pool.end();
    },
  };
};
