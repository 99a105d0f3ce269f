import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { silentLogger } from '#platform/logging';
import { createMetrics } from '#platform/metrics';
import { createHttpApp, listen } from './index.ts';
import { rawRequest } from './testing/raw-request.ts';
import { SampleModule } from './testing/sample.module.ts';

let app: NestFastifyApplication;
let base: string;

beforeAll(async () => {
  app = await createHttpApp([SampleModule], { logger: silentLogger, metrics: createMetrics() });
  base = await listen(app, { host: '127.0.0.1', port: 0 });
});

afterAll(() => app.close());

/** Bytes and not text: fetch would give a text a type of its own. */
const post = async (path: string, text: string, type?: string) => {
  const headers = type === undefined ? {} : { 'content-type': type };
  const response = await fetch(`${base}/typed/${path}`, { method: 'POST', body: Buffer.from(text), headers });
  return { status: response.status, body: await response.json() };
};

describe('where bodies must have their type', () => {
  it.each([undefined, 'text/plain', 'application/x-www-form-urlencoded', 'nonsense'])(
    'one without it is refused, and is no options left out: %s',
    async (type) => {
      expect(await post('options', '{"flag":true}', type)).toEqual({
        status: 415,
        body: { detail: expect.stringContaining('was not read'), code: 'content_type_unsupported' },
      });
    },
  );

  it('one with it is read, and none at all is one without options', async () => {
    expect(await post('options', '{"flag":true}', 'application/json')).toEqual({ status: 201, body: { flag: true } });
    for (const type of [undefined, 'text/plain'])
      expect(await post('options', '', type)).toEqual({ status: 201, body: {} });
  });

  it('one that nobody wants is ignored', async () => {
    expect((await post('bodyless', 'x')).status).toBe(201);
    const get = 'GET /typed/list?entity_id=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}';
    expect(await rawRequest(base, get)).toMatch(/^HTTP\/1\.1 200 /);
  });
});
