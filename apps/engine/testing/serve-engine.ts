import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { knowingOperators } from '#door/access';
import { createHttpApp, healthRoutes, listen, metricsRoutes } from '#door/http';
import { serveDocs } from '#door/openapi';
import { operatorByRole } from '#partners/testing';
import { createHealth } from '#platform/health';
import { silentLogger } from '#platform/logging';
import { createMetrics } from '#platform/metrics';
import type { EngineRoutes } from '../parts.ts';
import { engineRoutes } from '../routes.ts';

export type ServedEngine = { readonly app: NestFastifyApplication; readonly url: string };

/** The routes of the engine as the apps serve them, on a port of their own. */
export const serveEngine = async (routes: EngineRoutes): Promise<ServedEngine> => {
  const [health, metrics] = [createHealth(), createMetrics()];
  const imports = [
    healthRoutes(health),
    metricsRoutes(metrics),
    knowingOperators(operatorByRole),
    engineRoutes(routes),
  ];
  const app = await createHttpApp(imports, { logger: silentLogger, metrics });
  serveDocs(app);
  return { app, url: await listen(app, { host: '127.0.0.1', port: 0 }) };
};
