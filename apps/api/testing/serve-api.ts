import { Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createHttpApp, HealthModule, listen, MetricsModule } from '#door/http';
import { serveDocs } from '#door/openapi';
import { createHealth } from '#platform/health';
import { silentLogger } from '#platform/logging';
import { createMetrics } from '#platform/metrics';
import { ApiModule, type ApiParts } from '../api.module.ts';
import { toldWebhooks } from '../openapi/webhooks/index.ts';

@Module({})
class ServedModule {}

export type ServedApi = { readonly app: NestFastifyApplication; readonly url: string };

/** The partner interface as the apps serve it, on a port of its own. */
export const serveApi = async (partners: ApiParts['partners']): Promise<ServedApi> => {
  const [health, metrics] = [createHealth(), createMetrics()];
  const imports = [HealthModule.with(health), MetricsModule.with(metrics), ApiModule.with({ partners })];
  const app = await createHttpApp({ module: ServedModule, imports }, { logger: silentLogger, metrics });
  serveDocs(app, toldWebhooks());
  return { app, url: await listen(app, { host: '127.0.0.1', port: 0 }) };
};
