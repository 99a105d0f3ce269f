import { describe, expect, it } from '@jest/globals';
import { createLog } from '#platform/logging';
import { createMetrics } from '#platform/metrics';
import { createHttpApp, listen } from './index.ts';
import { SampleModule } from './testing/sample.module.ts';

type Told = { readonly client: string; readonly msg: string };

const toldOf = async (trustedProxies: readonly string[], all: readonly Record<string, string>[]): Promise<Told[]> => {
  const heard: string[] = [];
  const { logger } = createLog({ level: 'info', to: { write: (line) => heard.push(line) } });
  const app = await createHttpApp([SampleModule], { logger, metrics: createMetrics(), trustedProxies });
  const url = await listen(app, { host: '127.0.0.1', port: 0 });
  await fetch(`${url}/sample/list`);
  for (const headers of all) await fetch(`${url}/sample/list`, { headers });
  await app.close();
  return heard.map((line) => JSON.parse(line)).filter(({ msg }) => /TRUSTED_PROXIES/.test(msg));
};

const from = (...chains: readonly string[]) => chains.map((chain) => ({ 'x-forwarded-for': chain }));
const clients = ['203.0.113.1', '203.0.113.2', '203.0.113.3'];

describe('X-Forwarded-For', () => {
  it.each([
    ['a proxy that nobody named', [], from(...clients), ['127.0.0.1']],
    ['a proxy where another is named', ['198.51.100.0/24'], from(...clients), ['127.0.0.1']],
    ['a proxy that says nothing but TLS', [], [{ 'x-forwarded-proto': 'https' }], ['127.0.0.1']],
    ['a trusted proxy', ['127.0.0.1'], from(...clients), []],
    ['a trusted proxy that calls for its own machine', ['127.0.0.1'], from('127.0.0.1'), []],
    ['a proxy of this house before a trusted one', ['127.0.0.1'], from('203.0.113.1, 172.30.0.1'), ['172.30.0.1']],
    ['two trusted proxies', ['127.0.0.1', '172.30.0.1'], from('203.0.113.1, 172.30.0.1'), []],
    ['what a stranger made up before a trusted one', ['127.0.0.1'], from('10.0.0.7, 203.0.113.1'), []],
  ])('of %s is told of once for each that is not believed', async (_, trusted, all, told) => {
    expect((await toldOf(trusted, all)).map(({ client }) => client)).toEqual(told);
  });

  it('is told of with all that it is for', async () => {
    const [{ msg } = { msg: '' }] = await toldOf([], from('203.0.113.1'));
    for (const what of ['console', 'limit by address', 'links']) expect(msg).toContain(what);
  });
});
