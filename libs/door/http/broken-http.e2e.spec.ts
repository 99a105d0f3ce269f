import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as later } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { rawRequest } from './testing/raw-request.ts';
import { samplePerFile } from './testing/sample-per-file.ts';

const sample = samplePerFile();

describe('broken HTTP', () => {
  it.each([
    ['two lengths', 'POST /sample/strict HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}', 400],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
      400,
    ],
    [
      'an unknown expectation',
      'GET /sample/list HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\n\r\n',
      417,
    ],
    ['no host', 'GET /sample/list HTTP/1.1\r\n\r\n', 400],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: x\r\nhost: y\r\nConnection: close\r\n\r\n', 400],
    ['NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: a\0b\r\n\r\n', 400],
    ['NUL in the path', 'GET /a\0b HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['headers without end', `GET / HTTP/1.1\r\nHost: x\r\n${'ab:cd\r\n'.repeat(100)}Connection: close\r\n\r\n`, 431],
    ['an endless header', `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  ])('is answered with a clear 4xx: %s', async (_, bytes, status) => {
    const answer = await rawRequest(sample.base, bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toMatch(/X-Request-ID: /i);
  });

  it.each(['FROB', 'get', 'X-MAIL'])('a method that nobody knows is an unknown path: %s', async (method) => {
    const answer = await rawRequest(
      sample.base,
      `${method} /sample/list HTTP/1.1\r\nHost: x\r\nx-request-id: mine 7 \r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 404 [\s\S]*Content-Type: text\/plain[\s\S]*\r\n\r\n404 Not Found$/);
    expect(answer).toContain('\r\nX-Request-ID: mine 7\r\n');
  });

  it('costs no time, however much blank an id is padded with', async () => {
    const padded = `x-request-id:${' '.repeat(30_000)}\u0001${' '.repeat(30_000)}`;
    expect(await rawRequest(sample.base, `FROB / HTTP/1.1\r\nHost: x\r\n${padded}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 404 /,
    );
  });

  it('a tunnel is an unknown path too', async () => {
    const answer = await rawRequest(sample.base, 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\nX-Request-ID: mine\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 404 [\s\S]*X-Request-ID: mine\r\n[\s\S]*404 Not Found$/);
  });

  it.each(['NONSENSE\r\n\r\n', 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n'])(
    'keeps no connection whose other side never closes: %j',
    async (bytes) => {
      const open = () =>
        new Promise<number>((resolve) =>
          sample.app.getHttpServer().getConnections((_: unknown, n: number) => resolve(n)),
        );
      const before = await open();
      const { hostname, port } = new URL(sample.base);
      const sockets = Array.from({ length: 5 }, () =>
        connect({ host: hostname, port: Number(port), allowHalfOpen: true }),
      );
      await Promise.all(
        sockets.map((socket) => {
          socket.on('error', () => undefined);
          socket.write(bytes);
          socket.resume();
          return once(socket, 'end');
        }),
      );
      while ((await open()) > before) await later(20);
      for (const socket of sockets) socket.destroy();
    },
  );

  it('twice the same header is no fault of ours', async () => {
    const answer = await rawRequest(
      sample.base,
      'GET /nowhere HTTP/1.1\r\nHost: x\r\nX-Request-ID: a\r\nX-Request-ID: b\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
  });
});

it('a hundred headers are read to the last', async () => {
  const lines = 'ab:cd\r\n'.repeat(97);
  const answer = await rawRequest(
    sample.base,
    `GET /sample/id/1 HTTP/1.1\r\nHost: x\r\n${lines}X-Request-ID: mine\r\nConnection: close\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*X-Request-ID: mine\r\n/i);
});

describe('a body in another transfer coding than chunks', () => {
  const sent = (head: string, codings: string, rest = 'Content-Type: application/json\r\n') =>
    rawRequest(
      sample.base,
      `${head} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${rest}${codings}\r\n\r\nc\r\n{"name":"x"}\r\n0\r\n\r\n`,
    );

  const refused = (codings: string) => ({
    detail: `Transfer-Encoding '${codings}' is not supported: chunked is`,
    code: 'transfer_encoding_unsupported',
  });

  it.each([
    ['Transfer-Encoding: gzip, chunked', 'gzip, chunked'],
    ['Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked', 'gzip, chunked'],
    ['Transfer-Encoding: identity, chunked', 'identity, chunked'],
  ])('is not carried out as if it came as it is: %j', async (header, codings) => {
    const answer = await sent('POST /sample/strict', header);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toEqual(refused(codings));
  });

  it('is refused where nobody reads it, too', async () => {
    expect(await sent('POST /typed/bodyless', 'Transfer-Encoding: gzip, chunked', '')).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*transfer_encoding_unsupported/,
    );
  });

  it('is told behind the credential alone', async () => {
    expect(await sent('POST /sample/closed', 'Transfer-Encoding: gzip, chunked')).toMatch(/^HTTP\/1\.1 401 /);
  });

  it.each(['chunked', 'Chunked'])('and chunks are read: %s', async (name) => {
    expect(await sent('POST /sample/strict', `Transfer-Encoding: ${name}`)).toMatch(/^HTTP\/1\.1 201 /);
  });
});

it.each(['identity', 'IDENTITY'])('a body in no encoding is read, however that is written: %s', async (name) => {
  const headers = { 'content-type': 'application/json', 'content-encoding': name };
  const init = { method: 'POST', headers, body: '{"name":"x"}' };
  expect((await fetch(`${sample.base}/sample/strict`, init)).status).toBe(201);
});

describe('bytes behind a request that is no HTTP', () => {
  const made = 'POST /sample/strict HTTP/1.1\r\nHost: x\r\nX-Request-ID: mine\r\nContent-Type: application/json\r\n';

  it.each([
    ['that no request begins with', '{}', 400],
    ['of a method that nobody knows', 'FROB / HTTP/1.1\r\nHost: x\r\nX-Request-ID: other\r\n\r\n', 404],
    ['of a request whose body is broken', `${made}Transfer-Encoding: chunked\r\n\r\nx`, 400],
    ['of a tunnel', 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\nX-Request-ID: other\r\n\r\n', 404],
  ])('are answered behind the answer of it: %s', async (_, bytes, status) => {
    const answer = await rawRequest(sample.base, `${made}Content-Length: 12\r\n\r\n{"name":"x"}${bytes}`);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 201', `HTTP/1.1 ${status}`]);
    expect(answer.match(/X-Request-ID: mine\r\n/gi)).toHaveLength(1);
    if (status === 404) expect(answer).toContain('X-Request-ID: other\r\n');
  });
});

describe('requests sent without waiting for answers', () => {
  const ask = 'GET /sample/id/1 HTTP/1.1\r\nHost: x\r\n\r\n';
  const last = 'GET /sample/id/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  const answersIn = (text: string): number => text.split('HTTP/1.1 200 OK').length - 1;

  it('are answered one after the other', async () => {
    expect(answersIn(await rawRequest(sample.base, ask.repeat(31) + last))).toBe(32);
  });

  it('are no way to make the server hold a pile of answers', async () => {
    expect(answersIn(await rawRequest(sample.base, ask.repeat(500) + last))).toBeLessThan(33);
  });

  it('may be many over time on one connection', async () => {
    const { hostname, port } = new URL(sample.base);
    const socket = connect(Number(port), hostname);
    for (let count = 0; count < 100; count += 1) {
      socket.write(ask);
      await once(socket, 'data');
    }
    expect(socket.destroyed).toBe(false);
    socket.destroy();
  });
});

describe('a body in chunks of one byte', () => {
  const head = (path: string, type: string): string =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const crumbs = (bytes: string): string => [...bytes].map((byte) => `1\r\n${byte}\r\n`).join('');

  it.each([
    ['a body', '/sample/strict', 'application/json', 400],
    ['one that is ignored', '/sample/lenient', 'text/plain', 400],
    ['one without a credential', '/sample/closed', 'application/json', 401],
  ])('ends its connection before its megabyte is there: %s', async (_, path, type, status) => {
    // Its last chunk never comes.
    const answer = await rawRequest(sample.base, head(path, type) + crumbs('x'.repeat(100_000)));
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    if (status === 400) expect(answer).toContain('body_in_too_many_pieces');
  });

  it.each(['HEAD /sample/list', 'TRACE /sample/list', 'PROPFIND /sample/list', 'QUERY /sample/list', 'POST /%zz'])(
    'ends its connection a moment after its answer where nobody reads it: %s',
    async (asked) => {
      const { hostname, port } = new URL(sample.base);
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined).resume();
      socket.write(`${asked} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`);
      const dripping = setInterval(() => socket.write('1\r\na\r\n'), 50);
      const closed = new Promise((resolve) => socket.once('close', () => resolve('closed')));
      const late = new Promise((resolve) => setTimeout(resolve, 3_000, 'still open'));
      expect(await Promise.race([closed, late])).toBe('closed');
      clearInterval(dripping);
      socket.destroy();
    },
  );

  it('that nobody reads, and that comes to its end in a moment, leaves its connection to the next', async () => {
    const { hostname, port } = new URL(sample.base);
    const socket = connect(Number(port), hostname);
    socket.write('HEAD /sample/list HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    await once(socket, 'data');
    socket.write('1\r\na\r\n0\r\n\r\n');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    socket.write('GET /sample/id/1 HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });

  it('is read as it was meant while it is small, and leaves its connection to the next', async () => {
    const whole = `${head('/sample/strict', 'application/json')}${crumbs('{"name":"x"}')}0\r\n\r\n`;
    const last = 'GET /sample/id/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const answer = await rawRequest(sample.base, whole + last);
    expect(answer).toMatch(/^HTTP\/1\.1 201 [\s\S]*\{"name":"x"\}[\s\S]*HTTP\/1\.1 200 /);
  });
});

describe('large bodies that are begun, and never end', () => {
  const MEGABYTE = 1_048_576;
  const begin = async (): Promise<string> => {
    const head = `POST /sample/strict HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${MEGABYTE}\r\n\r\n`;
    const { hostname, port } = new URL(sample.base);
    const socket = connect(Number(port), hostname);
    open.push(socket);
    let answer = '';
    socket
      .on('error', () => undefined)
      .on('data', (bytes) => {
        answer += String(bytes);
      });
    socket.write(head + ' '.repeat(MEGABYTE - 1));
    const late = new Promise((resolve) => setTimeout(resolve, 3_000));
    await Promise.race([new Promise((resolve) => socket.once('close', resolve)), late]);
    return answer;
  };
  const open: Socket[] = [];
  const post = (body: string) =>
    fetch(`${sample.base}/sample/strict`, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  const large = `{"name":"x","pad":"${'p'.repeat(500_000)}"}`;

  it('are kept up to a bound for one address, and keep nobody from an ordinary call', async () => {
    const answers = await Promise.all(Array.from({ length: 24 }, begin));
    const refused = answers.filter((answer) => answer !== '');
    expect(refused).toHaveLength(8);
    for (const answer of refused)
      expect(answer).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 2\r\n[\s\S]*no_room_for_body/i);
    expect((await post('{"name":"x"}')).status).toBe(201);
    expect((await post(large)).status).toBe(503);
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect((await post(large)).status).toBe(201);
  });
});
