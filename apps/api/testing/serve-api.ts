import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createHttpApp, healthRoutes, listen, metricsRoutes } from '#door/http';
import { serveDocs } from '#door/openapi';
import { createHealth } from '#platform/health';
import { silentLogger } from '#platform/logging';
import { createMetrics } from '#platform/metrics';
import { keyRoutes } from '../integration/key.controller.ts';
import { toldWebhooks } from '../openapi/webhooks/index.ts';

export type ServedApi = { readonly app: NestFastifyApplication; readonly url: string };

/** The partner interface as the apps serve it, on a port of its own. */
export const serveApi = async (partners: Parameters<typeof keyRoutes>[0]['partners']): Promise<ServedApi> => {
  const [health, metrics] = [createHealth(), createMetrics()];
  const imports = [healthRoutes(health), metricsRoutes(metrics), keyRoutes({ partners })];
  const app = await createHttpApp(imports, { logger: silentLogger, metrics });
  serveDocs(app, toldWebhooks());
  return { app, url: await listen(app, { host: '127.0.0.1', port: 0 }) };
};
