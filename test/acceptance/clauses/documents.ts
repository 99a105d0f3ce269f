import { describe, expect, it } from '@jest/globals';
import { as, done, type Service } from '../harness/index.ts';

type OpenApi = {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

const documented: readonly (readonly [string, string])[] = [
  ['post', '/casino/deposit_address'],
  ['get', '/casino/deposit/{id}'],
  ['get', '/casino/deposits'],
  ['post', '/casino/deposit/{id}/accept'],
  ['post', '/casino/deposit/{id}/return'],
  ['post', '/casino/deposit/{id}/freeze'],
  ['get', '/casino/integration/key'],
  ['post', '/casino/integration/test-webhook'],
];

export const documents = (service: Service): void => {
  describe('the OpenAPI document', () => {
    it('is of version 3.1 and names every route of the casino family', async () => {
      const answer = await service.call('GET', '/openapi.json');
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
      const { openapi, paths } = as<OpenApi>(done(answer));
      expect(openapi).toMatch(/^3\.1\./);
      for (const [method, path] of [...documented, ['get', '/health/live'], ['get', '/health/ready']] as const)
        expect([path, Object.keys(paths[path] ?? {})]).toEqual([path, [method]]);
    });

    it('is readable at /docs, from this service alone', async () => {
      const { status, text, headers } = await service.call('GET', '/docs');
      expect(status).toBe(200);
      expect(headers.get('content-type')).toMatch(/^text\/html/);
      const references = [...text.matchAll(/(?:src|href)\s*=\s*["']([^"']+)["']/g)].map(
        ([, reference]) => reference ?? '',
      );
      expect(references.filter((reference) => /^(https?:)?\/\//.test(reference))).toEqual([]);
      for (const reference of references.filter((it) => /\.(js|css|png)$/.test(it))) {
        const path = new URL(reference, `${service.access().url}/docs`).pathname;
        expect([path, (await service.call('GET', path)).status]).toEqual([path, 200]);
      }
    });
  });

  describe('the service tells', () => {
    it('where things are', async () => {
      const { openapi, docs, ready } = done(await service.call('GET', '/'));
      for (const path of [openapi, docs, ready])
        expect([path, (await service.call('GET', String(path))).status]).toEqual([path, 200]);
    });

    it('that it runs and that it can serve', async () => {
      expect((await service.call('GET', '/health/live')).status).toBe(200);
      expect((await service.call('GET', '/health/ready')).status).toBe(200);
    });

    it('its metrics, as Prometheus reads them', async () => {
      const { status, text, headers } = await service.call('GET', '/metrics');
      expect(status).toBe(200);
      expect(headers.get('content-type')).toMatch(/^text\/plain/);
      expect(text).toMatch(/^# TYPE \S+ (counter|gauge|histogram|summary)$/m);
      for (const line of text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))) {
        expect(line).toMatch(/^[a-zA-Z_:][\w:]*(\{.*\})? [-+\d.eE]+(NaN|Inf)?( \d+)?$/);
      }
    });
  });
};
