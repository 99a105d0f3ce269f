import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as later } from 'node:timers/promises';
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

  it('one that nobody wants is ignored', async () => {
    expect((await post('bodyless', 'x')).status).toBe(201);
    const get = 'GET /typed/list?entity_id=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}';
    expect(await rawRequest(sample.base, get)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('a body without its type that does not come whole', () => {
  const done = async (): Promise<readonly string[]> =>
    JSON.parse(await (await fetch(`${sample.base}/typed/done`)).text());

  const LENGTH = 'Content-Length: 13\r\n\r\n';
  const CHUNKS = 'Transfer-Encoding: chunked\r\n\r\n';

  it.each([
    ['before its first byte', LENGTH, 'end'],
    ['within it', `${LENGTH}{"fl`, 'end'],
    ['within it, by who leaves', `${LENGTH}{"fl`, 'destroy'],
    ['at a chunk that is none', `${CHUNKS}4\r\n{"fl\r\nZ\r\n`, 'resume'],
  ] as const)('has nothing carried out, whether its route wants it or not: %s', async (_, sent, leave) => {
    const before = await done();
    const cutShort = async (path: string): Promise<void> => {
      const { hostname, port } = new URL(sample.base);
      const socket = connect(Number(port), hostname);
      socket.write(`POST /typed/${path} HTTP/1.1\r\nHost: x\r\n${sent}`);
      await later(100);
      socket[leave]();
      if (!socket.destroyed) await once(socket.resume(), 'close');
    };
    for (const path of ['options', 'bodyless']) await cutShort(path);
    await later(300);
    expect(await done()).toEqual(before);
  });
});
