import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createLog, silentLogger } from '#platform/logging';
import { createMetrics } from '#platform/metrics';
import { BODY_LIMIT, createHttpApp, listen } from './index.ts';
import { rawRequest } from './testing/raw-request.ts';
import { SampleModule } from './testing/sample.module.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const lines: string[] = [];
const metrics = createMetrics();
let app: NestFastifyApplication;
let base: string;

beforeAll(async () => {
  const { logger } = createLog({ level: 'info', to: { write: (line) => lines.push(line) } });
  app = await createHttpApp([SampleModule], { logger, metrics });
  base = await listen(app, { host: '127.0.0.1', port: 0 });
});

afterAll(() => app.close());

const post = (
  path: string,
  body: NonNullable<RequestInit['body']> | null,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) => fetch(`${base}${path}`, { method: 'POST', body, headers });

const told = async (response: Response) => ({ status: response.status, body: await response.json() });

const issuesOf = async (response: Response): Promise<{ path: (string | number)[]; message: string }[]> => {
  const { success, error } = (await response.json()) as { success: boolean; error: { name: string; message: string } };
  expect([response.status, success, error.name]).toEqual([400, false, 'ZodError']);
  return JSON.parse(error.message);
};

describe('every answer carries X-Request-ID', () => {
  it.each(['/sample/list', '/nowhere', '/%zz', '/sample/broken'])('with a new UUID: %s', async (path) => {
    expect((await fetch(base + path)).headers.get('x-request-id')).toMatch(UUID);
  });

  it("with the caller's own", async () => {
    const response = await fetch(`${base}/nowhere`, { headers: { 'X-Request-ID': 'order 17/b' } });
    expect(response.headers.get('x-request-id')).toBe('order 17/b');
  });

  it.each([
    ['too long', 'x'.repeat(201)],
    ['not ASCII', 'caf\u00e9'],
  ])('but never one that is %s', async (_, given) => {
    const response = await fetch(`${base}/nowhere`, { headers: { 'X-Request-ID': given } });
    expect(response.headers.get('x-request-id')).toMatch(UUID);
  });

  it('even when the request was not HTTP, or its body was not JSON', async () => {
    expect(await rawRequest(base, 'NONSENSE\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*X-Request-ID: \S{36}[\s\S]*"detail"/,
    );
    expect((await post('/sample/strict', '{')).headers.get('x-request-id')).toMatch(UUID);
  });
});

describe('a body', () => {
  it.each(['{', '', '{"a":1}}', 'undefined', '\u0000', "{'a':1}"])('that is not JSON is refused: %j', async (text) => {
    expect(await told(await post('/sample/strict', text))).toEqual({
      status: 400,
      body: { detail: 'Malformed JSON in request body', code: 'json_malformed' },
    });
  });

  it('that is not UTF-8 is not JSON', async () => {
    const response = await post('/sample/strict', Buffer.from([0x22, 0xff, 0xfe, 0x22]));
    expect((await told(response)).body).toMatchObject({
      detail: 'Malformed JSON in request body',
      code: 'json_malformed',
    });
  });

  it.each(['application/json', 'APPLICATION/JSON; charset=utf-8', 'application/json ;x=y'])(
    'is JSON by %s',
    async (type) => {
      expect(await told(await post('/sample/strict', '{"name":"x"}', { 'content-type': type }))).toEqual({
        status: 201,
        body: { name: 'x' },
      });
    },
  );

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'nonsense', 'a/b; c'])(
    'is ignored as %s, and so is its validation',
    async (type) => {
      expect(await told(await post('/sample/lenient', '{"flag":"no boolean"}', { 'content-type': type }))).toEqual({
        status: 201,
        body: {},
      });
    },
  );

  it('that is missing is an empty one, which other endpoints check all the same', async () => {
    expect((await told(await post('/sample/lenient', null, {}))).status).toBe(201);
    expect(await issuesOf(await post('/sample/strict', null, {}))).toEqual([{ path: ['name'], message: 'Required' }]);
  });

  it('of one megabyte is taken, of one byte more is not', async () => {
    const ofSize = (bytes: number) => `{"name":"x","pad":"${'p'.repeat(bytes - 21)}"}`;
    expect(Buffer.byteLength(ofSize(BODY_LIMIT))).toBe(BODY_LIMIT);
    expect((await post('/sample/strict', ofSize(BODY_LIMIT))).status).toBe(201);
    expect((await post('/sample/strict', ofSize(BODY_LIMIT + 1))).status).toBe(413);
  });

  it.each(['application/json', 'text/plain'])('of ten megabytes of %s gets a clear 413', async (type) => {
    const answer = await told(await post('/sample/strict', `"${'x'.repeat(10_000_000)}"`, { 'content-type': type }));
    expect(answer).toEqual({
      status: 413,
      body: { detail: expect.stringContaining('too large'), code: 'body_too_large' },
    });
  });

  it.each([
    '{"__proto__":{"admin":true}}',
    '{"name":"x","a":[{"\\u005f_proto__":1}]}',
    '{"constructor":{"prototype":{}}}',
  ])('may not reach for prototypes: %s', async (text) => {
    const { status, body } = await told(await post('/sample/strict', text));
    expect([status, body]).toEqual([
      400,
      { detail: expect.stringContaining('may not use the name'), code: 'json_name_forbidden' },
    ]);
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });

  it.each([40, 500_000])('may not be nested %i levels deep', async (levels) => {
    const { status, body } = await told(await post('/sample/strict', '['.repeat(levels) + ']'.repeat(levels)));
    expect([status, body]).toEqual([
      400,
      { detail: expect.stringContaining('nested too deeply'), code: 'json_too_deep' },
    ]);
  });

  it.each(['{}', '[]', '{"a":1}'])('may not hold more objects and lists than any body of ours: %s', async (part) => {
    const many = `[${Array.from({ length: 100_000 }, () => part).join()}]`;
    for (const text of [many, `{"name":${many}}`, `{"name":"x","other":[[${many}]]}`])
      expect(await told(await post('/sample/strict', text))).toEqual({
        status: 400,
        body: { detail: expect.stringContaining('too many objects and lists'), code: 'json_too_many_parts' },
      });
  });

  it.each([
    ['{"name":"x","other":{"constructor":1}}', 201],
    ['{"name":"x","other":[{"constructor":"Object"}],"constructor":1}', 201],
    ['{"name":{"constructor":1}}', 400],
    ['{"name":"x","fees":[{"constructor":1}]}', 400],
  ])('may name what makes objects without making any: %s', async (text, status) => {
    expect((await post('/sample/strict', text)).status).toBe(status);
  });

  it('in an encoding that we do not read is told so', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expect((await post('/sample/strict', 'x', headers)).status).toBe(415);
  });

  it('is looked at only after the credential', async () => {
    expect(await told(await post('/sample/closed', '{'))).toEqual({
      status: 401,
      body: { detail: 'Token or API key missing', code: 'credential_missing' },
    });
  });
});

describe('validation', () => {
  const strict = (body: unknown) => post('/sample/strict', JSON.stringify(body));

  it('takes no string for a flag and no number for a text', async () => {
    expect(await issuesOf(await strict({ name: 5, flag: 'true' }))).toEqual([
      { path: ['name'], message: expect.any(String) },
      { path: ['flag'], message: expect.stringContaining('boolean') },
    ]);
  });

  it('may not have more names than any body of ours, wherever they stand', async () => {
    const names = Object.fromEntries(Array.from({ length: 90_000 }, (_, nth) => [`n${nth}`, 1]));
    for (const sent of [names, { name: names }, { fees: [names] }]) {
      const { status, body } = await told(await post('/sample/strict', JSON.stringify(sent)));
      expect([status, body]).toEqual([
        400,
        { detail: expect.stringContaining('too many names'), code: 'json_too_many_names' },
      ]);
    }
  });

  it('counts characters, not halves of them', async () => {
    expect((await post('/sample/strict', JSON.stringify({ name: '😀'.repeat(10) }))).status).toBe(201);
    expect((await post('/sample/strict', JSON.stringify({ name: '😀'.repeat(11) }))).status).toBe(400);
  });

  it('shows the way to a nested field', async () => {
    const issues = await issuesOf(await strict({ name: 'x', fees: [{ percent: 1 }, { percent: '1' }] }));
    expect(issues.map(({ path }) => path)).toEqual([['fees', 1, 'percent']]);
  });

  it('takes null only where null is meant', async () => {
    expect((await strict({ name: 'x', email: null })).status).toBe(201);
    expect((await issuesOf(await strict({ name: 'x', flag: null }))).map(({ path }) => path)).toEqual([['flag']]);
  });

  it.each(['[]', '"text"', '5', 'null', 'true'])('wants an object, not %s', async (text) => {
    expect(await issuesOf(await post('/sample/strict', text))).toEqual([
      { path: [], message: expect.stringContaining('Expected object') },
    ]);
  });

  it('drops unknown fields', async () => {
    expect(await told(await strict({ name: 'x', total_amount: 5, toString: 'x' }))).toEqual({
      status: 201,
      body: { name: 'x' },
    });
  });

  it.each(['a\u0000b', '\ud800', '', 'x'.repeat(11)])('refuses text that cannot be kept: %j', async (name) => {
    expect((await issuesOf(await strict({ name }))).map(({ path }) => path)).toEqual([['name']]);
  });

  it('holds for queries too, where a repeated parameter is no text', async () => {
    expect(await told(await fetch(`${base}/sample/list?entity_id=7&x=1`))).toEqual({
      status: 200,
      body: { entity_id: '7' },
    });
    expect((await issuesOf(await fetch(`${base}/sample/list`))).map(({ path }) => path)).toEqual([['entity_id']]);
    expect(await issuesOf(await fetch(`${base}/sample/list?entity_id=7&entity_id=8`))).toEqual([
      { path: ['entity_id'], message: 'must be sent once' },
    ]);
    expect((await fetch(`${base}/sample/list?__proto__=7`)).status).toBe(400);
  });
});

describe('what is ignored', () => {
  const ignored = ({ status, headers }: Response) => ({
    status,
    fields: headers.get('x-ignored-fields'),
    body: headers.get('x-ignored-body'),
  });
  const strict = async (body: unknown) => ignored(await post('/sample/strict', JSON.stringify(body)));
  const nothing = { fields: null, body: null };

  it('is nothing where every name is known', async () => {
    expect(await strict({ name: 'x', email: null, fees: [{ percent: 1 }] })).toEqual({ status: 201, ...nothing });
    expect(ignored(await fetch(`${base}/sample/list?entity_id=7`))).toEqual({ status: 200, ...nothing });
    expect(ignored(await post('/sample/raw', '{"a":{"b":1}}'))).toEqual({ status: 201, ...nothing });
    expect(ignored(await post('/sample/bodyless', null, {}))).toEqual({ status: 201, ...nothing });
  });

  it('is told by name, with the way to it', async () => {
    const answer = await strict({ name: 'x', Flag: true, fees: [{ percent: 1 }, { percent: 1, kind: 'FEE' }] });
    expect(answer).toEqual({ status: 201, body: null, fields: 'Flag, fees.1.kind' });
    expect(ignored(await fetch(`${base}/sample/list?entity_id=7&Limit=1&Limit=2`)).fields).toBe('Limit');
    expect(ignored(await fetch(`${base}/sample/id/1?verbose=`)).fields).toBe('verbose');
    expect(ignored(await post('/sample/strict?dry_run=1', '{"name":"x","Flag":1}')).fields).toBe('Flag, dry_run');
  });

  it('is told beside a refusal of the rest, as the reason that it may be', async () => {
    expect(await strict({ Name: 'x' })).toEqual({ status: 400, body: null, fields: 'Name' });
    expect(await strict([])).toEqual({ status: 400, ...nothing });
  });

  it('is told in bounds, and in characters that a header can have', async () => {
    expect((await strict({ name: 'x', 'a\r\nSet-Cookie: b, c': 1, 'é{}': 1, '': 1 })).fields).toBe(
      'a??Set-Cookie??b??c, ???, ?',
    );
    const long = 'n'.repeat(65);
    expect((await strict({ name: 'x', [long]: 1 })).fields).toBe(long.slice(1));
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, nth) => [`n${nth}`, 1]));
    expect((await strict({ name: 'x', ...many })).fields).toMatch(/^n0, (n\d+, ){19}\.\.\.$/);
  });

  it('may be a whole body: without its type, or where none is taken', async () => {
    const untyped = { fields: null, body: 'its Content-Type is not application/json' };
    for (const type of [{}, { 'content-type': 'text/plain' }])
      expect(ignored(await post('/sample/lenient', Buffer.from('{"flag":true}'), type))).toEqual({
        status: 201,
        ...untyped,
      });
    expect(ignored(await post('/sample/bodyless', '{"a":1}'))).toEqual({
      status: 201,
      fields: null,
      body: 'this call takes none',
    });
    expect(ignored(await post('/sample/bodyless', Buffer.from('a'), {}))).toEqual({ status: 201, ...untyped });
    const get = 'GET /sample/id/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n';
    expect(await rawRequest(base, `${get}Content-Type: application/json\r\n\r\n{}`)).toMatch(
      /x-ignored-body: a GET brings none\r\n/i,
    );
    expect(await rawRequest(base, `${get}\r\n{}`)).toMatch(/x-ignored-body: its Content-Type/i);
  });

  it('is told to nobody unknown', async () => {
    expect(ignored(await post('/sample/closed?a=1', '{"b":1}'))).toEqual({ status: 401, ...nothing });
  });
});

describe('a path', () => {
  it.each([
    ['GET', '/nowhere'],
    ['POST', '/nowhere'],
    ['DELETE', '/sample/list'],
    ['GET', '/sample/strict'],
    ['OPTIONS', '/sample/list'],
    ['QUERY', '/sample/list'],
    ['GET', '//sample/list'],
    ['GET', '/sample/list/'],
  ])('that is unknown with this method is 404 in plain text: %s %s', async (method, path) => {
    const response = await fetch(base + path, { method });
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await response.text()).toBe('404 Not Found');
  });

  it('is unknown before its body is looked at', async () => {
    expect((await post('/nowhere', '{')).status).toBe(404);
  });

  it.each(['/%zz', '/sample/id/%ff', '/%'])('that cannot be decoded is 400: %s', async (path) => {
    expect(await rawRequest(base, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*"detail":"Malformed URL"/,
    );
  });

  it('may hold a very long id', async () => {
    expect(await told(await fetch(`${base}/sample/id/${'9'.repeat(4000)}`))).toEqual({
      status: 200,
      body: { length: 4000 },
    });
  });
});

describe('a fault of ours', () => {
  it.each([
    ['broken', 'Internal server error', 'hunter2'],
    ['failed', 'Failed to create casino deposit', 'hunter3'],
  ])(
    'is not shown to the caller but told to the log, with its stack and the request: %s',
    async (path, detail, said) => {
      const response = await fetch(`${base}/sample/${path}`, { headers: { 'x-request-id': `find ${path}` } });
      expect(await told(response)).toEqual({ status: 500, body: { detail } });
      const logged = lines.map((line) => JSON.parse(line));
      const { err } = logged.find((line) => line.request_id === `find ${path}` && line.err);
      expect(err).toMatchObject({
        message: expect.stringContaining(said),
        stack: expect.stringContaining('sample.module.ts'),
      });
      const answered = logged.find((line) => line.request_id === `find ${path}` && line.msg === 'answered');
      const reason = expect.stringContaining(said);
      expect(answered).toMatchObject({ level: 50, status: 500, client: '127.0.0.1', reason });
    },
  );
});

describe('failed credentials', () => {
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const from = performance.now();
    await work();
    return performance.now() - from;
  };
  const fail = (address: string, at: string) =>
    fetch(`${at}/sample/closed`, { method: 'POST', headers: { 'x-forwarded-for': address, connection: 'close' } });
  const failMany = (address: string, at: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => fail(address, at)));

  it('are slowed for their address alone, more and more up to a bound; what succeeds, and this machine, is not', async () => {
    const behind = await createHttpApp([SampleModule], {
      ...{ logger: silentLogger, metrics: createMetrics(), trustedProxies: ['127.0.0.1'] },
    });
    const url = await listen(behind, { host: '127.0.0.1', port: 0 });
    await failMany('192.0.2.1', url, 308);
    const slowed = await timed(async () => expect((await fail('192.0.2.1', url)).status).toBe(401));
    expect(slowed).toBeGreaterThan(200);
    const good = { headers: { 'x-forwarded-for': '192.0.2.1' } };
    expect(await timed(() => fetch(`${url}/sample/id/1`, good))).toBeLessThan(200);
    expect(await timed(() => fail('192.0.2.2', url))).toBeLessThan(200);
    await failMany('192.0.2.1', url, 60);
    const most = await timed(() => fail('192.0.2.1', url));
    expect(most).toBeGreaterThan(1_500);
    expect(most).toBeLessThan(4_000);
    await failMany('::ffff:127.0.0.1', url, 360);
    await Promise.all(Array.from({ length: 360 }, (_, nth) => fail(`2001:db8:1:2::${nth.toString(16)}`, url)));
    expect(await timed(() => fail('[2001:db8:1:2::ffff]:4711', url))).toBeGreaterThan(200);
    expect(await timed(() => fail('2001:db8:1:3::1', url))).toBeLessThan(200);
    expect(await timed(() => fail('127.0.0.1', url))).toBeLessThan(200);
    // Held back are so many; the rest has to connect anew for each.
    const statuses = (await failMany('192.0.2.1', url, 100)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([401]));
    await behind.close();
  }, 30_000);
});

describe('the address of a client', () => {
  const clientAt = async (at: string, requestId: string): Promise<unknown> => {
    const headers = { 'x-request-id': requestId, 'x-forwarded-for': '203.0.113.9, 198.51.100.7' };
    await fetch(`${at}/sample/list`, { headers });
    return lines.map((line) => JSON.parse(line)).find(({ request_id }) => request_id === requestId)?.client;
  };

  it('is that of the connection, whatever the caller says', async () => {
    expect(await clientAt(base, 'from afar')).toBe('127.0.0.1');
  });

  it('is what a trusted proxy says', async () => {
    const { logger } = createLog({ level: 'info', to: { write: (line) => lines.push(line) } });
    const trustedProxies = ['127.0.0.1', '198.51.100.0/24'];
    const behind = await createHttpApp([SampleModule], { logger, metrics: createMetrics(), trustedProxies });
    const url = await listen(behind, { host: '127.0.0.1', port: 0 });
    expect(await clientAt(url, 'from behind a proxy')).toBe('203.0.113.9');
    await behind.close();
  });
});

describe('metrics', () => {
  it('are collected once for all who ask within a second, and grow with no path or method that somebody makes up', async () => {
    const one = createMetrics();
    const collected = jest.spyOn(one.registry, 'metrics');
    const texts = await Promise.all(Array.from({ length: 100 }, () => one.scrape()));
    expect([new Set(texts).size, collected.mock.calls.length]).toEqual([1, 1]);
    const seriesOf = async () =>
      new Set((await metrics.registry.metrics()).match(/^http_request_duration_seconds_count\S*/gm));
    await fetch(`${base}/made/up`);
    const before = await seriesOf();
    for (let nth = 0; nth < 50; nth++) await fetch(`${base}/made/up/${nth}?n=${nth}`);
    expect(await seriesOf()).toEqual(before);
  });

  it('count answers by the pattern of their route', async () => {
    await fetch(`${base}/sample/id/12345`);
    const text = await metrics.registry.metrics();
    expect(text).toMatch(
      /http_request_duration_seconds_count\{method="GET",route="\/sample\/id\/:id",status="200"\} \d/,
    );
    expect(text).toMatch(/route="unknown",status="404"/);
    expect(text).not.toContain('12345');
  });
});
