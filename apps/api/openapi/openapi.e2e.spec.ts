import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { authenticationErrors } from '#door/errors';
import { type ServedApi, serveApi } from '../testing/serve-api.ts';

type Content = { readonly examples?: Record<string, { value: { detail: string } }> };
type Operation = { readonly responses: Record<string, { readonly content?: { 'application/json': Content } }> };
type Document = {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, { properties: Record<string, { type?: unknown }> }> };
};

let api: ServedApi;

beforeAll(async () => {
  const closed = () => Promise.reject(new Error('closed'));
  api = await serveApi({ authenticate: closed, authenticateOperator: closed, describeKey: async () => undefined });
});

afterAll(() => api.app.close());

const fetchDocument = async (): Promise<Document> =>
  (await (await fetch(`${api.url}/openapi.json`)).json()) as Document;

const documentedDetails = (operation: Operation | undefined): string[] =>
  Object.values(operation?.responses ?? {}).flatMap(({ content }) =>
    Object.values(content?.['application/json'].examples ?? {}).map(({ value }) => value.detail),
  );

describe('the OpenAPI document', () => {
  it('is of version 3.1, with nulls as types', async () => {
    const { openapi, components } = await fetchDocument();
    expect(openapi).toBe('3.1.0');
    expect(components.schemas.DescribedKeyBody?.properties.expires_at?.type).toEqual(['string', 'null']);
    expect(JSON.stringify(components)).not.toContain('nullable');
  });

  it('shows every refusal of the key description, in the words of the interface', async () => {
    const { paths } = await fetchDocument();
    const details = documentedDetails(paths['/casino/integration/key']?.get);
    const expected = Object.values(authenticationErrors).map((error) => error().message);
    expect(new Set(details)).toEqual(
      new Set([
        ...expected,
        'This endpoint describes an API key; authenticate with X-API-Key',
        'API key not found',
        'The database does not answer: try again in 2 seconds',
        'Too many calls wait for the same: nothing was done, try again in 2 seconds',
        'Internal server error',
      ]),
    );
  });
});

describe('the document and its page', () => {
  it.each(['/openapi.json', '/docs', '/docs/swagger-ui-init.js'])(
    'are the same bytes for everybody: %s',
    async (path) => {
      const first = await fetch(api.url + path);
      const etag = first.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[\w-]{27}"$/);
      const again = await fetch(`${api.url + path}?again`);
      expect(await again.text()).toBe(await first.text());
      for (const name of ['etag', 'content-type', 'content-security-policy'])
        expect(again.headers.get(name)).toBe(first.headers.get(name));
      const unchanged = await fetch(api.url + path, { headers: { 'if-none-match': `"another", ${etag}` } });
      expect([unchanged.status, await unchanged.text()]).toEqual([304, '']);
      const head = await fetch(api.url + path, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
    },
  );

  it('cost next to nothing once they were made', async () => {
    const ask = async () => (await fetch(`${api.url}/openapi.json`)).text();
    await ask();
    // What comes between, as others on the machine or the throwing away of what was read, is in some rounds and not in all.
    let quickest = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 5; round++) {
      const before = process.cpuUsage();
      for (let nth = 0; nth < 40; nth++) await ask();
      const { user, system } = process.cpuUsage(before);
      quickest = Math.min(quickest, (user + system) / 1_000 / 40);
    }
    expect(quickest).toBeLessThan(10);
  });

  it('are the same for HEAD, but for the bytes', async () => {
    const answered = async (method: string) => {
      const { headers } = await fetch(`${api.url}/openapi.json`, { method });
      return ['etag', 'content-type', 'content-length', 'cache-control'].map((name) => headers.get(name));
    };
    expect(await answered('HEAD')).toEqual(await answered('GET'));
  });

  it('are a collection that knows by which address it was asked for', async () => {
    const { port } = new URL(api.url);
    for (const host of ['127.0.0.1', 'localhost']) {
      const response = await fetch(`http://${host}:${port}/postman.json`);
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      const { variable, item } = (await response.json()) as { variable: object[]; item: object[] };
      expect(variable[0]).toEqual({ key: 'url', value: `http://${host}:${port}` });
      expect(item.length).toBeGreaterThan(0);
    }
  });

  it('cost no more, however much blank stands between the tags that somebody has', async () => {
    await (await fetch(`${api.url}/docs`)).text();
    const headers = { 'if-none-match': `"a"${' '.repeat(15_000)}"b"` };
    const before = process.cpuUsage();
    for (let nth = 0; nth < 20; nth++) await (await fetch(`${api.url}/docs`, { headers })).text();
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000 / 20).toBeLessThan(25);
  });
});

describe('the docs page', () => {
  const absolute = /(?:src|href)="(?:https?:)?\/\//;

  it('needs nothing but this server', async () => {
    const page = await (await fetch(`${api.url}/docs`)).text();
    expect(page).not.toMatch(absolute);
    const assets = [...page.matchAll(/(?:src|href)="(\.\/[^"]+)"/g)].map(
      ([, path]) => new URL(path ?? '', `${api.url}/docs`),
    );
    expect(assets.length).toBeGreaterThan(3);
    for (const asset of assets) expect([asset.pathname, (await fetch(asset)).status]).toEqual([asset.pathname, 200]);
    expect(await (await fetch(`${api.url}/docs/swagger-ui-init.js`)).text()).toMatch(/"validatorUrl": null/);
  });

  it('runs no script but its own, and in no frame', async () => {
    for (const path of ['/docs', '/docs/', '/docs/swagger-ui-bundle.js', '/docs/nothing.js']) {
      const { headers } = await fetch(api.url + path);
      const policy = new Map(
        (headers.get('content-security-policy') ?? '').split('; ').map((rule) => {
          const [name = '', ...sources] = rule.split(' ');
          return [name, sources.join(' ')] as const;
        }),
      );
      expect([path, policy.get('default-src'), policy.get('script-src'), policy.get('frame-ancestors')]).toEqual([
        path,
        ...["'none'", "'self'", "'none'"],
      ]);
      expect(headers.get('x-frame-options')).toBe('DENY');
    }
    const page = await (await fetch(`${api.url}/docs`)).text();
    expect([...page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>|\son\w+=/g)].map(([found]) => found)).toEqual([]);
    expect((await fetch(`${api.url}/openapi.json`)).headers.get('content-security-policy')).toBeNull();
  });

  it('has no files beside its own', async () => {
    for (const path of [
      '/docs/nothing.js',
      '/docs/..%2fpackage.json',
      '/docs/%00',
      '/docs//',
      `/docs/${'a'.repeat(5000)}`,
    ]) {
      const response = await fetch(api.url + path);
      expect([path, response.status, await response.text()]).toEqual([path, 404, '404 Not Found']);
    }
  });
});

describe('the bare address', () => {
  const places = {
    docs: '/docs',
    openapi: '/openapi.json',
    postman: '/postman.json',
    live: '/health/live',
    ready: '/health/ready',
    metrics: '/metrics',
  };

  it('says where things are, to a program and to a browser', async () => {
    expect(await (await fetch(api.url)).json()).toEqual({ name: 'Cointill', ...places });
    const response = await fetch(api.url, { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    const links = [...(await response.text()).matchAll(/href="([^"]+)"/g)].map(([, path]) => path);
    expect(links).toEqual(Object.values(places));
    for (const path of links) expect([path, (await fetch(`${api.url}${path}`)).status]).toEqual([path, 200]);
    expect((await fetch(api.url, { method: 'POST' })).status).toBe(404);
  });
});

describe('health and metrics', () => {
  it('tell that the process runs and can serve', async () => {
    expect((await fetch(`${api.url}/health/live`)).status).toBe(200);
    const ready = await fetch(`${api.url}/health/ready`);
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready', checks: [] }]);
  });

  it('are Prometheus text', async () => {
    const response = await fetch(`${api.url}/metrics`);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(await response.text()).toMatch(/^# HELP /m);
  });
});
