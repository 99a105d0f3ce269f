import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { rawRequest } from './testing/raw-request.ts';
import { samplePerFile } from './testing/sample-per-file.ts';

const sample = samplePerFile();

/** Bytes and not text: fetch would give a text a type of its own. */
const post = async (path: string, text: string, type?: string) => {
  const headers = type === undefined ? {} : { 'content-type': type };
  const response = await fetch(`${sample.base}/typed/${path}`, { method: 'POST', body: Buffer.from(text), headers });
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

  it.each(['', '{"fl'])('one without it that ends early is no options left out either: %j', async (text) => {
    const done = async (): Promise<readonly string[]> =>
      JSON.parse(await (await fetch(`${sample.base}/typed/done`)).text());
    const before = await done();
    const cutShort = async (path: string): Promise<void> => {
      const { hostname, port } = new URL(sample.base);
      const socket = connect(Number(port), hostname);
      socket.end(`POST /typed/${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 13\r\n\r\n${text}`);
      await once(socket.resume(), 'close');
    };
    await cutShort('options');
    await cutShort('bodyless');
    let more: readonly string[] = [];
    while (!more.includes('bodyless')) more = (await done()).slice(before.length);
    expect(more).toEqual(['bodyless']);
  });

  it('one that nobody wants is ignored', async () => {
    expect((await post('bodyless', 'x')).status).toBe(201);
    const get = 'GET /typed/list?entity_id=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}';
    expect(await rawRequest(sample.base, get)).toMatch(/^HTTP\/1\.1 200 /);
  });
});
