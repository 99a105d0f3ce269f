import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Endpoint, hangs, openEndpoint } from '../testing/endpoint.ts';
import { createWebhookClient, type WebhookClient, type WebhookClientOptions } from './index.ts';

const open: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

const endpointThat = async (how?: Parameters<Endpoint['answer']>[0]): Promise<Endpoint> => {
  const endpoint = await openEndpoint(how);
  open.push(endpoint.close);
  return endpoint;
};

const clientWith = (options: Partial<WebhookClientOptions> = {}): WebhookClient => {
  const client = createWebhookClient({ allowPrivate: true, timeLimitMs: 2_000, ...options });
  open.push(client.close);
  return client;
};

const post = (client: WebhookClient, url: string) =>
  client.post({ url, headers: { 'content-type': 'application/json' }, body: '{"a":1}' });

describe('an attempt', () => {
  it('posts the body as it is and tells what was answered', async () => {
    const endpoint = await endpointThat();
    expect(await post(clientWith(), endpoint.url)).toMatchObject({ statusCode: 200, excerpt: 'ok', error: null });
    expect(endpoint.arrived).toMatchObject([{ method: 'POST', path: '/hooks', body: '{"a":1}' }]);
  });

  it.each([
    ['user:pw', 'user:pw'],
    ['us%40er:p%3Aw%C3%A9', 'us@er:p:wé'],
    ['us er:100%', 'us er:100%'],
    [':key', ':key'],
    ['user', 'user:'],
  ])('is let in by the user and password of its URL: %s', async (written, credentials) => {
    const [endpoint, client] = [await endpointThat(), clientWith()];
    await post(client, endpoint.url.replace('//', `//${written}@`));
    await post(client, endpoint.url);
    expect(endpoint.arrived.map(({ headers }) => headers.authorization)).toEqual([
      `Basic ${Buffer.from(credentials).toString('base64')}`,
      undefined,
    ]);
  });

  it('does not follow a redirect', async () => {
    const target = await endpointThat();
    const endpoint = await endpointThat((response) => response.writeHead(307, { location: target.url }).end());
    expect(await post(clientWith(), endpoint.url)).toMatchObject({ statusCode: 307, error: null });
    expect(target.connections()).toBe(0);
  });

  it('keeps its connection for the next ones to the same host', async () => {
    const [endpoint, client] = [await endpointThat(), clientWith()];
    for (let i = 0; i < 30; i++) await post(client, endpoint.url);
    // A second one is opened where the first is still taking leave of its answer.
    expect(endpoint.connections()).toBeLessThanOrEqual(3);
  });

  it('keeps the first 500 characters of an answer without end, and reads little more', async () => {
    const endpoint = await endpointThat((response) => {
      const write = (): unknown => response.write('é'.repeat(10_000)) && setImmediate(write);
      response.on('drain', write);
      write();
    });
    const { excerpt, statusCode, durationMs } = await post(clientWith({ timeLimitMs: 20_000 }), endpoint.url);
    expect([statusCode, excerpt]).toEqual([200, 'é'.repeat(500)]);
    expect(durationMs).toBeLessThan(5_000);
  });

  it.each([
    ['a', 499],
    ['', 500],
  ])('counts in characters, and cuts none in two: %j and %i of two units', async (before, shown) => {
    const endpoint = await endpointThat((response) => response.end(`${before}${'😀'.repeat(600)}`));
    expect((await post(clientWith(), endpoint.url)).excerpt).toBe(`${before}${'😀'.repeat(shown)}`);
  });

  it('reads as far as 500 characters of the most bytes go, also behind a mark of their order', async () => {
    const bytes = Buffer.from(`\ufeff${'😀'.repeat(500)}`);
    const endpoint = await endpointThat((response) => {
      response.write(bytes.subarray(0, 2_000));
      setTimeout(() => response.end(bytes.subarray(2_000)), 100);
    });
    expect((await post(clientWith(), endpoint.url)).excerpt).toBe('😀'.repeat(500));
  });

  it('is given up when nothing is answered in time', async () => {
    const endpoint = await endpointThat(hangs);
    const attempted = await post(clientWith({ timeLimitMs: 100 }), endpoint.url);
    expect(attempted).toMatchObject({
      statusCode: null,
      excerpt: null,
      error: 'Timeout: no answer within 0.1 seconds',
    });
  });

  it('passes over interim answers, and is given up when they do not end', async () => {
    const hint = 'HTTP/1.1 103 Early Hints\r\n\r\n';
    const few = await endpointThat((response) => {
      response.socket?.write(hint.repeat(5));
      response.writeHead(200).end('ok');
    });
    expect(await post(clientWith(), few.url)).toMatchObject({ statusCode: 200, excerpt: 'ok', error: null });
    const endless = await endpointThat((response) => {
      const write = (): unknown => response.socket?.write(hint.repeat(100)) && setImmediate(write);
      response.socket?.on('drain', write).on('error', () => undefined);
      write();
    });
    const attempted = await post(clientWith({ timeLimitMs: 20_000 }), endless.url);
    expect(attempted).toMatchObject({
      statusCode: null,
      error: 'The answer did not come: interim answers (1xx) came without end',
    });
    expect(attempted.durationMs).toBeLessThan(5_000);
  });

  it('ends in time, with the status that came, when the rest of the answer does not come', async () => {
    const endpoint = await endpointThat((response) => response.writeHead(200).write('half'));
    const attempted = await post(clientWith({ timeLimitMs: 200 }), endpoint.url);
    expect(attempted).toMatchObject({ statusCode: 200, excerpt: 'half', error: null });
    expect(attempted.durationMs).toBeLessThan(1_500);
  });

  it('tells of a refused connection, an unknown host, a cut line and a URL that is none', async () => {
    const gone = await endpointThat();
    await gone.close();
    const cut = await endpointThat((response) => response.socket?.destroy());
    const errors = await Promise.all(
      [gone.url, 'http://nobody.invalid/', cut.url, 'ftp://example.com/', 'nonsense'].map(
        async (url) => (await post(clientWith(), url)).error,
      ),
    );
    expect(errors).toEqual([
      'The connection was refused',
      expect.stringMatching(/^The host name/),
      'The connection was cut before an answer came',
      'The URL is not one of http or https',
      'The URL is not one of http or https',
    ]);
  });

  it('tells in one line of TLS where the port speaks none', async () => {
    const plain = await endpointThat();
    expect(await post(clientWith(), plain.url.replace('http:', 'https:'))).toMatchObject({
      statusCode: null,
      error: 'TLS handshake failed: no TLS is spoken on this port',
    });
  });

  it('tells of an answer that is not HTTP', async () => {
    const server = createServer((socket) => socket.end('hello\r\n\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push(async () => server.close());
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    expect(await post(clientWith(), `http://127.0.0.1:${port}/`)).toMatchObject({
      statusCode: null,
      error: 'The answer is not HTTP',
    });
  });
});

describe('only public addresses are contacted:', () => {
  const refused = { statusCode: null, error: 'The URL leads to a non-public address' };

  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0x7f.1',
    '127.0.0.1.',
    '0',
    '[::1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    'localhost',
    'LOCALHOST',
  ])('not %s', async (host) => {
    const endpoint = await endpointThat();
    const attempted = await post(clientWith({ allowPrivate: false }), `http://${host}:${endpoint.port}/`);
    expect(attempted).toMatchObject(refused);
    expect(endpoint.connections()).toBe(0);
  });

  const namesLeadingTo =
    (...addresses: readonly string[]): NonNullable<WebhookClientOptions['resolve']> =>
    async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

  it.each([[['10.1.2.3']], [['8.8.8.8', '127.0.0.1']], [['2606:4700::1', 'fd00::1']], [['::ffff:169.254.169.254']]])(
    'not a name that leads to %j',
    async (addresses) => {
      const endpoint = await endpointThat();
      const client = clientWith({ allowPrivate: false, resolve: namesLeadingTo(...addresses) });
      expect(await post(client, `http://partner.example:${endpoint.port}/`)).toMatchObject(refused);
      expect(endpoint.connections()).toBe(0);
    },
  );

  it('a name is looked up once, and what it said is what is dialled', async () => {
    const endpoint = await endpointThat();
    let asked = 0;
    const rebinding: WebhookClientOptions['resolve'] = async () => {
      asked += 1;
      // Public when it is looked at, ours when it is looked at again.
      return [{ address: asked === 1 ? '192.0.0.9' : '127.0.0.1', family: 4 }];
    };
    const client = clientWith({ allowPrivate: false, resolve: rebinding });
    expect(await post(client, `http://partner.example:${endpoint.port}/`)).toMatchObject(refused);
    expect([asked, endpoint.connections()]).toEqual([1, 0]);
  });

  it('a proxy of the environment is not asked', async () => {
    const proxy = await endpointThat();
    process.env.HTTP_PROXY = `http://127.0.0.1:${proxy.port}`;
    process.env.http_proxy = process.env.HTTP_PROXY;
    try {
      await post(clientWith({ allowPrivate: false, resolve: namesLeadingTo('10.0.0.1') }), 'http://partner.example/');
      expect(proxy.connections()).toBe(0);
    } finally {
      delete process.env.HTTP_PROXY;
      delete process.env.http_proxy;
    }
  });
});
