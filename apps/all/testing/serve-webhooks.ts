import type pg from 'pg';
import { knowingOperators } from '#door/access';
import { createHttpApp, listen } from '#door/http';
import { serveDocs } from '#door/openapi';
import { createKeyHash, migrations as ofPartners, openPartners, type Partners } from '#partners';
import { silentLogger } from '#platform/logging';
import { createMetrics } from '#platform/metrics';
import { migrate } from '#platform/migrations';
import { createPool } from '#platform/postgres';
import { createSecrets } from '#platform/secrets';
import { createWebhookClient, migrations as ofWebhooks } from '#webhooks';
import { testWebhookRoutes } from '../../api/test-webhook/test-webhook.controller.ts';
import { deliveryRoutes } from '../../operator/deliveries/deliveries.controller.ts';

export type ServedWebhooks = {
  readonly url: string;
  readonly pool: pg.Pool;
  readonly partners: Partners;
  readonly keyHash: ReturnType<typeof createKeyHash>;
  readonly close: () => Promise<void>;
};

type Served = { readonly allowPrivate?: boolean; readonly timeLimitMs?: number };

/** One instance of the routes about webhooks, on a port of its own. */
export const serveWebhooks = async (databaseUrl: string, options: Served = {}): Promise<ServedWebhooks> => {
  for (const migrations of [ofPartners, ofWebhooks]) await migrate(databaseUrl, migrations);
  const pool = createPool({ url: databaseUrl, applicationName: 'test', logger: silentLogger });
  const secrets = createSecrets('a key of tests');
  const partners = await openPartners({ pool, secrets, logger: silentLogger });
  const client = createWebhookClient({ allowPrivate: true, timeLimitMs: 2_000, ...options });
  const imports = [
    knowingOperators(partners.authenticateOperator),
    testWebhookRoutes({ partners, db: pool, client }),
    deliveryRoutes(pool),
  ];
  const metrics = createMetrics();
  const app = await createHttpApp(imports, { logger: silentLogger, metrics });
  serveDocs(app);
  return {
    url: await listen(app, { host: '127.0.0.1', port: 0 }),
    pool,
    partners,
    keyHash: createKeyHash(secrets),
    close: async () => {
      await app.close();
      await client.close();
      await partners.close();
      await pool.end();
    },
  };
};
