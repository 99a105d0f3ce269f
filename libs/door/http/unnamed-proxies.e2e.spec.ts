import { describe, expect, it } from '@jest/globals';
import { createLog } from '#platform/logging';
import { createMetrics } from '#platform/metrics';
import { createHttpApp, listen } from './index.ts';
import { SampleModule } from './testing/sample.module.ts';

describe('X-Forwarded-For', () => {
  it.each([
    ['a proxy that nobody named', [], 1],
    ['a proxy where another is named', ['198.51.100.0/24'], 1],
    ['a trusted proxy', ['127.0.0.1'], 0],
  ])('of %s is told so often, with the setting that names it', async (_, trustedProxies, times) => {
    const heard: string[] = [];
    const { logger } = createLog({ level: 'info', to: { write: (line) => heard.push(line) } });
    const app = await createHttpApp([SampleModule], { logger, metrics: createMetrics(), trustedProxies });
    const url = await listen(app, { host: '127.0.0.1', port: 0 });
    await fetch(`${url}/sample/list`);
    for (const client of ['203.0.113.1', '203.0.113.2', '203.0.113.3'])
      await fetch(`${url}/sample/list`, { headers: { 'x-forwarded-for': client } });
    const told = heard.map((line) => JSON.parse(line)).filter(({ msg }) => /TRUSTED_PROXIES/.test(msg));
    expect(told.map(({ client }) => client)).toEqual(Array(times).fill('127.0.0.1'));
    await app.close();
  });
});
