import type pg from 'pg';
import { knowingOperators } from '#door/access';
import { createHttpApp, listen } from '#door/http';
import { serveDocs } from '#door/openapi';
import { migrations, openPartners, type Partners } from '#partners';
import { silentLogger } from '#platform/logging';
import { createMetrics } from '#platform/metrics';
import { migrate } from '#platform/migrations';
import { createPool } from '#platform/postgres';
import { createSecrets } from '#platform/secrets';
import { keyRoutes } from '../../api/integration/key.controller.ts';
import { accountRoutes } from '../../operator/accounts/routes.ts';

export type Answer = { readonly status: number; readonly body: Record<string, unknown> };

export type ServedAccounts = {
  readonly url: string;
  readonly pool: pg.Pool;
  readonly partners: Partners;
  /** A call with a Bearer token. */
  readonly call: (token: string, method: string, path: string, body?: unknown) => Promise<Answer>;
  /** GET of the key description. */
  readonly describeKey: (key: unknown) => Promise<Answer>;
  readonly close: () => Promise<void>;
};

const answerOf = async (response: Response): Promise<Answer> => ({
  status: response.status,
  body: (await response.json()) as Record<string, unknown>,
});

/** One instance: accounts beside the partner interface, on a port of its own. */
export const serveAccounts = async (databaseUrl: string): Promise<ServedAccounts> => {
  await migrate(databaseUrl, migrations);
  const pool = createPool({ url: databaseUrl, applicationName: 'test', logger: silentLogger });
  const secrets = createSecrets('a key of tests');
  const partners = await openPartners({ pool, secrets, logger: silentLogger });
  const imports = [
    knowingOperators(partners.authenticateOperator),
    accountRoutes(partners.accounts),
    keyRoutes({ partners }),
  ];
  const app = await createHttpApp(imports, { logger: silentLogger, metrics: createMetrics() });
  serveDocs(app);
  const url = await listen(app, { host: '127.0.0.1', port: 0 });
  return {
    url,
    pool,
    partners,
    call: async (token, method, path, body) => {
      const content = body === undefined ? {} : { 'content-type': 'application/json' };
      const headers = { authorization: `Bearer ${token}`, ...content };
      const sent = body === undefined ? null : JSON.stringify(body);
      return answerOf(await fetch(`${url}${path}`, { method, headers, body: sent }));
    },
    describeKey: async (key) =>
      answerOf(await fetch(`${url}/casino/integration/key`, { headers: { 'x-api-key': String(key) } })),
    close: async () => {
      await app.close();
      await partners.close();
      await pool.end();
    },
  };
};
