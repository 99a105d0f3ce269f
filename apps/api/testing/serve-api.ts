import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { knowingOperators } from '#door/access';
import { createHttpApp, healthRoutes, listen, metricsRoutes } from '#door/http';
import { serveDocs } from '#door/openapi';
import type { Partners } from '#partners';
import { createHealth } from '#platform/health';
import { silentLogger } from '#platform/logging';
import { createMetrics } from '#platform/metrics';
import { keyRoutes } from '../integration/key.controller.ts';
import { toldWebhooks } from '../openapi/webhooks/index.ts';

export type ServedApi = { readonly app: NestFastifyApplication; readonly url: string };

type Served = Pick<Partners, 'authenticate' | 'authenticateOperator' | 'describeKey'>;

/** The partner interface as the apps serve it, on a port of its own. */
export const serveApi = async (partners: Served): Promise<ServedApi> => {
  const [health, metrics] = [createHealth(), createMetrics()];
  const known = knowingOperators(partners.authenticateOperator);
  const imports = [healthRoutes(health), metricsRoutes(metrics), known, keyRoutes({ partners })];
  const app = await createHttpApp(imports, { logger: silentLogger, metrics });
  serveDocs(app, toldWebhooks());
  return { app, url: await listen(app, { host: '127.0.0.1', port: 0 }) };
};
