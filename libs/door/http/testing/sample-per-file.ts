import { afterAll, beforeAll } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { silentLogger } from '#platform/logging';
import { createMetrics } from '#platform/metrics';
import { createHttpApp, listen } from '../index.ts';
import { SampleModule } from './sample.module.ts';

/** The sample served for all tests of a file. */
export const samplePerFile = () => {
  let app: NestFastifyApplication;
  let base: string;

  beforeAll(async () => {
    app = await createHttpApp([SampleModule], { logger: silentLogger, metrics: createMetrics() });
    base = await listen(app, { host: '127.0.0.1', port: 0 });
  });

  afterAll(() => app.close());

  return {
    get app(): NestFastifyApplication {
      return app;
    },
    get base(): string {
      return base;
    },
  };
};
