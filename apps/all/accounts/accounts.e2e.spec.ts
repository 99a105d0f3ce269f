import { describe, expect, it } from '@jest/globals';
import { accountsPerFile } from '../testing/accounts-per-file.ts';

const accounts = accountsPerFile();
const { admin } = accounts;

const made = async (path: string, body: unknown): Promise<Record<string, unknown> & { readonly id: number }> => {
  const { status, body: answer } = await admin('POST', path, body);
  expect([status, answer]).toEqual([201, expect.objectContaining({ id: expect.any(Number) })]);
  return answer as { id: number };
};

const affiliate = async (): Promise<number> => (await made('affiliates', { name: 'Northern' })).id;

const entity = async (fields: object = {}) => {
  const affiliate_id = await affiliate();
  return made('entities', { affiliate_id, name: 'Aurora', ...fields });
};

const newToken = async (role: string, rest: object = {}) => {
  const { id, token: text } = await made('tokens', { role, ...rest });
  return { id, text: String(text) };
};

const time = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/);

describe('affiliates', () => {
  it('are made with every currency, and changed field by field', async () => {
    const { id } = await made('affiliates', { name: 'Northern', unknown: 1 });
    const item = { id, name: 'Northern', status: 'enabled', legacy: null, created_at: time };
    const currencies = ['BTC', 'LTC', 'ETH', 'DASH', 'MARS', 'BCH'];
    expect(await admin('GET', `affiliates/${id}`)).toEqual({ status: 200, body: { ...item, currencies } });
    const changes = { currencies: ['LTC', 'BCH'], legacy: { subdomain: 'north', cryptos: ['DASH'] } };
    const legacy = { subdomain: 'north', logo: null, default_coin: null, cryptos: ['DASH'] };
    const changed = { ...item, currencies: changes.currencies, legacy };
    expect(await admin('PATCH', `affiliates/${id}`, changes)).toEqual({ status: 200, body: changed });
    const { body } = await admin('PATCH', `affiliates/${id}`, { legacy: { default_coin: 'BTC' } });
    expect(body.legacy).toEqual({ ...legacy, default_coin: 'BTC' });
  });

  it('that are switched off keep their keys out at once', async () => {
    const affiliate_id = await affiliate();
    const { key } = await made('api-keys', { affiliate_id });
    expect((await accounts.service.describeKey(key)).status).toBe(200);
    await admin('PATCH', `affiliates/${affiliate_id}`, { status: 'disabled' });
    expect(await accounts.service.describeKey(key)).toMatchObject({
      status: 403,
      body: { detail: 'Affiliate account is disabled' },
    });
  });
});

describe('entities', () => {
  it('are made with the defaults of the trade', async () => {
    const affiliate_id = await affiliate();
    expect(await admin('POST', 'entities', { affiliate_id, name: 'Aurora' })).toEqual({
      status: 201,
      body: {
        id: expect.any(Number),
        affiliate_id,
        name: 'Aurora',
        external_code: null,
        status: 'enabled',
        mode: 'live',
        no_conf_allowed: false,
        instant_allowed: false,
        instant_caps: { first_usd: 500, returning_usd: 1500, received_first_usd: 600, received_returning_usd: 1600 },
        min_usd: null,
        max_usd: null,
        fees: null,
        webhook: null,
        created_at: time,
        warnings: ['fees are not configured: until they are, [] for none, the deposit call answers 500'],
      },
    });
  });

  it('show all that was sent, and again after each change', async () => {
    const fees = [{ beneficiary: 'BF', kind: 'SPREAD', paid_by: 'PLAYER', percent: 0.0123 }];
    const sent = {
      external_code: 'aurora',
      status: 'active',
      mode: 'test',
      no_conf_allowed: true,
      instant_allowed: true,
    };
    const { id, ...shown } = await entity({ ...sent, fees, instant_caps: { first_usd: 0.1, returning_usd: 2000 } });
    const caps = { first_usd: 0.1, returning_usd: 2000, received_first_usd: 600, received_returning_usd: 1600 };
    expect(shown).toMatchObject({ ...sent, fees, instant_caps: caps });
    await admin('PATCH', `entities/${id}`, {
      instant_caps: { received_first_usd: 7 },
      external_code: null,
      fees: null,
    });
    const { body } = await admin('GET', `entities/${id}`);
    expect(body).toMatchObject({ external_code: null, fees: null, instant_caps: { ...caps, received_first_usd: 7 } });
    const reset = await admin('PATCH', `entities/${id}`, { instant_caps: null });
    expect(reset.body.instant_caps).toMatchObject({ first_usd: 500, received_first_usd: 600 });
  });

  it('cannot move to another affiliate', async () => {
    const { id, affiliate_id } = await entity();
    const moved = await admin('PATCH', `entities/${id}`, { affiliate_id: await affiliate() });
    expect(moved).toMatchObject({ status: 400, body: { detail: 'An entity cannot move to another affiliate' } });
    expect((await admin('PATCH', `entities/${id}`, { affiliate_id })).status).toBe(200);
  });
});

describe('a webhook', () => {
  const url = 'https://casino.example/hooks';
  const secretOf = async (id: number) => (await accounts.service.partners.webhookOf(id))?.secret;

  it('gets a secret that is shown once', async () => {
    const { id, webhook, webhook_secret } = await entity({ webhook: { url } });
    expect(webhook).toEqual({ url, signed: true });
    expect(await secretOf(id)).toBe(webhook_secret);
    expect((await admin('GET', `entities/${id}`)).body).not.toHaveProperty('webhook_secret');
  });

  it('keeps, replaces and removes its secret as the operator says', async () => {
    const { id, webhook_secret } = await entity({ webhook: { url } });
    const patch = async (webhook: object | null) => (await admin('PATCH', `entities/${id}`, { webhook })).body;
    const kept = await patch({ url: `${url}/2` });
    expect([kept.webhook, kept.webhook_secret, await secretOf(id)]).toEqual([
      { url: `${url}/2`, signed: true },
      undefined,
      webhook_secret,
    ]);
    expect(await patch({ url, secret: 'chosen' })).not.toHaveProperty('webhook_secret');
    expect(await secretOf(id)).toBe('chosen');
    expect((await patch({ url, signed: false })).webhook).toEqual({ url, signed: false });
    expect((await patch({ url })).webhook).toEqual({ url, signed: false });
    expect(await secretOf(id)).toBeNull();
    expect((await patch({ url, signed: true })).webhook_secret).toBe(await secretOf(id));
    expect((await patch(null)).webhook).toBeNull();
    expect(await accounts.service.partners.webhookOf(id)).toBeUndefined();
    expect((await patch({ url })).webhook_secret).toEqual(expect.any(String));
  });

  it('is left alone by other changes', async () => {
    const { id, webhook_secret } = await entity({ webhook: { url } });
    await admin('PATCH', `entities/${id}`, { name: 'Borealis' });
    expect(await secretOf(id)).toBe(webhook_secret);
  });

  it.each(['entities', 'api-keys'])('of %s rotates its secret with an overlap', async (collection) => {
    const { id: entityId, affiliate_id } = await entity();
    const settings = { webhook: { url } };
    const { id, webhook_secret: old } =
      collection === 'entities'
        ? await made('entities', { affiliate_id, name: 'Own', ...settings })
        : await made('api-keys', { affiliate_id, ...settings });
    const target = () => accounts.service.partners.webhookOf(collection === 'entities' ? id : entityId);
    const before = Date.now();
    const { status, body } = await admin('POST', `${collection}/${id}/webhook-secret`, { overlap_s: 60 });
    expect(status).toBe(201);
    const rotated = await target();
    expect([rotated?.secret, rotated?.previousSecrets[0]?.secret]).toEqual([body.webhook_secret, old]);
    expect(Math.abs(Number(rotated?.previousSecrets[0]?.until) - before - 60_000)).toBeLessThan(5_000);
    const again = await admin('POST', `${collection}/${id}/webhook-secret`, { overlap_s: 0 });
    expect(await target()).toMatchObject({ secret: again.body.webhook_secret, previousSecrets: [] });
  });

  it('that is not there cannot get a secret', async () => {
    const { id } = await entity();
    const refused = await admin('POST', `entities/${id}/webhook-secret`, {});
    expect(refused).toMatchObject({ status: 409, body: { detail: 'Entity has no webhook URL: set one first' } });
  });

  it.each(['', 'ftp://casino.example/', 'casino.example', 'http://', 'https:casino.example', 'http://x\u0000'])(
    'cannot go to %j',
    async (wrong) => {
      const { id } = await entity();
      const { status, body } = await admin('PATCH', `entities/${id}`, { webhook: { url: wrong } });
      expect([status, body.success]).toEqual([400, false]);
    },
  );
});

describe('API keys', () => {
  it('are shown once and work at once, for the casino they are locked to', async () => {
    const { id: entity_id, affiliate_id } = await entity();
    const sent = { affiliate_id, entity_id, name: 'Production', mode: 'test', expires_at: '2100-01-02T03:04:05+01:00' };
    const { id, key, ...item } = await made('api-keys', sent);
    const shown = { ...sent, expires_at: '2100-01-02T02:04:05.000Z', scope: 'admin', status: 'active', webhook: null };
    expect(item).toEqual({ ...shown, created_at: time });
    const described = await accounts.service.describeKey(key);
    expect(described.body).toMatchObject({ key: { id, mode: 'test' }, entity_scope: { id: entity_id } });
    expect(await admin('GET', `api-keys/${id}`)).toEqual({ status: 200, body: { id, ...item } });
  });

  it('may be made expired, switched off and on again', async () => {
    const affiliate_id = await affiliate();
    const { id, key } = await made('api-keys', { affiliate_id, expires_at: '2001-01-01' });
    const detail = async () => (await accounts.service.describeKey(key)).body.detail;
    expect(await detail()).toBe('API key has expired');
    await admin('PATCH', `api-keys/${id}`, { expires_at: null, status: 'inactive' });
    expect(await detail()).toBe('API key is inactive');
    await admin('PATCH', `api-keys/${id}`, { status: 'active', name: null });
    expect(await detail()).toBeUndefined();
    await admin('PATCH', `api-keys/${id}`, { status: 'revoked' });
    expect(await detail()).toBe('API key is revoked');
  });

  it('stays revoked', async () => {
    const { id, key } = await made('api-keys', { affiliate_id: await affiliate() });
    await admin('PATCH', `api-keys/${id}`, { status: 'revoked' });
    for (const status of ['active', 'inactive'])
      expect(await admin('PATCH', `api-keys/${id}`, { status })).toMatchObject({ status: 409 });
    expect(await admin('PATCH', `api-keys/${id}`, { status: 'revoked', name: 'lost' })).toMatchObject({ status: 200 });
    expect((await accounts.service.describeKey(key)).body.detail).toBe('API key is revoked');
  });

  it('cannot be locked to a casino of another affiliate', async () => {
    const { id: entity_id } = await entity();
    const refused = await admin('POST', 'api-keys', { affiliate_id: await affiliate(), entity_id });
    const detail = 'The entity does not belong to the affiliate of the key';
    expect(refused).toEqual({ status: 400, body: { detail, code: expect.any(String) } });
  });
});

describe('tokens', () => {
  it('open what their role may do and nothing else', async () => {
    const { id: entityId } = await entity();
    const roles = ['admin', 'auditor', 'ops', 'engine'];
    const texts = await Promise.all(roles.map(async (role) => (await newToken(role)).text));
    const statuses = (method: string, path: string, body?: object) =>
      Promise.all(
        texts.map(async (text) => (await accounts.service.call(text, method, `/operator/${path}`, body)).status),
      );
    for (const path of ['affiliates', `entities/${entityId}`, 'api-keys', 'tokens', 'audit-trail']) {
      expect([path, await statuses('GET', path)]).toEqual([path, [200, 200, 403, 403]]);
    }
    expect(await statuses('POST', 'affiliates', { name: 'x' })).toEqual([201, 403, 403, 403]);
    expect(await statuses('PATCH', `entities/${entityId}`, { name: 'x' })).toEqual([200, 403, 403, 403]);
    expect(await statuses('POST', `entities/${entityId}/webhook-secret`)).toEqual([409, 403, 403, 403]);
  });

  it('are refused once expired or revoked, and say which', async () => {
    const expired = await newToken('admin', { name: 'old', expires_at: '2001-01-01T00:00:00Z' });
    const revoked = await newToken('admin');
    const use = (text: string) => accounts.service.call(text, 'GET', '/operator/affiliates');
    expect((await use(revoked.text)).status).toBe(200);
    const { body } = await admin('PATCH', `tokens/${revoked.id}`, { status: 'revoked' });
    expect(body).toMatchObject({ id: revoked.id, status: 'revoked' });
    expect(await use(expired.text)).toEqual({ status: 401, body: { detail: 'Invalid or expired token' } });
    expect(await use(revoked.text)).toMatchObject({ status: 401, body: { code: 'token_revoked' } });
    expect(await use('nobody')).toEqual({ status: 401, body: { detail: 'Invalid or expired token' } });
    const response = await fetch(`${accounts.service.url}/operator/affiliates`);
    expect([response.status, await response.json()]).toMatchObject([401, { code: 'credential_missing' }]);
  });
});

describe("a session's secret", () => {
  it.each(['Session', 'session', 'Bearer'])(
    'is no credential behind %s: what goes with the cookie cannot be left out',
    async (scheme) => {
      const { id, text } = await newToken('admin', { name: 'Night' });
      const secret = await accounts.service.partners.sessions.begin({ id, role: 'admin', name: 'Night' });
      const url = `${accounts.service.url}/operator/affiliates`;
      const statusWith = async (headers: Record<string, string>) => (await fetch(url, { headers })).status;
      const console = { cookie: `cointill_session=${secret}`, 'x-cointill-console': '1' };
      expect({
        token: await statusWith({ authorization: `Bearer ${text}` }),
        console: await statusWith({ ...console, 'sec-fetch-site': 'same-origin' }),
        another: await statusWith({ ...console, 'sec-fetch-site': 'same-site' }),
        header: await statusWith({ authorization: `${scheme} ${secret}` }),
      }).toEqual({ token: 200, console: 200, another: 403, header: 401 });
    },
  );
});

describe('access tokens of the older interface', () => {
  it('are issued to an affiliate, listed without their texts, and revoked', async () => {
    const id = await affiliate();
    const path = `affiliates/${id}/access-tokens`;
    const issued = await made(path, { expires_at: '2001-01-01T00:00:00Z' });
    const { access_token, refresh_token, ...item } = issued;
    expect([typeof access_token, typeof refresh_token]).toEqual(['string', 'string']);
    expect(item).toMatchObject({ affiliate_id: id, status: 'active', expires_at: '2001-01-01T00:00:00.000Z' });
    expect((await admin('GET', path)).body).toEqual({ access_tokens: [item], next_cursor: null });
    const revoked = { status: 200, body: { ...item, status: 'revoked' } };
    expect(await admin('PATCH', `${path}/${issued.id}`, { status: 'revoked' })).toEqual(revoked);
    expect(await admin('GET', `${path}/${issued.id}`)).toEqual(revoked);
    const elsewhere = await admin('PATCH', `affiliates/${await affiliate()}/access-tokens/${issued.id}`, {
      status: 'revoked',
    });
    expect(elsewhere).toEqual({
      status: 404,
      body: { detail: 'Access token not found', code: 'access_token_not_found' },
    });
  });
});

describe('lists', () => {
  it('are paged by a cursor and kept to an affiliate', async () => {
    const affiliate_id = await affiliate();
    const ids: number[] = [];
    for (const name of ['One', 'Two', 'Three']) ids.push((await made('entities', { affiliate_id, name })).id);
    const page = async (query: string) => {
      const { body } = await admin('GET', `entities?affiliate_id=${affiliate_id}${query}`);
      const { entities, next_cursor } = body as { entities: { id: number }[]; next_cursor: string | null };
      return { ids: entities.map(({ id }) => id), next_cursor };
    };
    expect(await page('')).toEqual({ ids, next_cursor: null });
    const first = await page('&limit=2');
    expect(first).toEqual({ ids: ids.slice(0, 2), next_cursor: expect.any(String) });
    expect(await page(`&limit=2&cursor=${first.next_cursor}`)).toEqual({ ids: ids.slice(2), next_cursor: null });
    expect((await admin('GET', 'entities?limit=many')).status).toBe(400);
  });

  it('never hold a secret or a hash', async () => {
    const { webhook_secret, affiliate_id } = await entity({ webhook: { url: 'https://casino.example/' } });
    const { key } = await made('api-keys', { affiliate_id });
    for (const collection of ['affiliates', 'entities', 'api-keys', 'tokens', 'audit-trail']) {
      const text = JSON.stringify(await admin('GET', `${collection}?limit=500`));
      expect(text).not.toContain(String(webhook_secret));
      expect(text).not.toContain(String(key).split(':')[1]);
      expect(text).not.toContain(accounts.token);
      // An entry of the trail has one of its own, of the chain: what it tells of has none.
      expect(text.replaceAll(/"previous_hash":(?:null|"\w+"),"hash":"\w+"/g, '')).not.toContain('"hash"');
    }
  });
});

describe('the audit trail', () => {
  it('tells who changed what, before and after, and nothing that changed nothing', async () => {
    const { id } = await entity({ webhook: { url: 'https://casino.example/' } });
    await admin('PATCH', `entities/${id}`, { status: 'disabled' });
    await admin('PATCH', `entities/${id}`, { status: 'disabled' });
    await admin('POST', `entities/${id}/webhook-secret`, { overlap_s: 5 });
    const { body } = await admin('GET', `audit-trail?subject=entity&subject_id=${id}`);
    const trail = body.audit_trail as { actor: string; action: string; before: unknown; after: unknown }[];
    expect(trail.map(({ action }) => action)).toEqual(['changed', 'changed', 'created']);
    expect(trail[1]).toMatchObject({
      at: time,
      actor: expect.stringMatching(/^operator token \d+$/),
      subject_id: String(id),
      before: { status: 'enabled', name: 'Aurora' },
      after: { status: 'disabled', name: 'Aurora' },
    });
    expect(trail[2]?.before).toBeNull();
    const own = await admin('GET', `audit-trail?actor=${encodeURIComponent(trail[0]?.actor ?? '')}&limit=1`);
    expect((own.body.audit_trail as object[]).length).toBe(1);
    const nobody = await admin('GET', 'audit-trail?actor=nobody');
    expect(nobody.body).toEqual({ audit_trail: [], next_cursor: null });
  });
});

describe('what is wrong is refused', () => {
  it.each([
    ['POST', 'affiliates', {}],
    ['POST', 'affiliates', { name: '' }],
    ['POST', 'affiliates', { name: 'x', currencies: ['DOGE'] }],
    ['POST', 'affiliates', { name: 'x', currencies: 'BTC' }],
    ['POST', 'affiliates', { name: 'x', status: 'gone' }],
    ['POST', 'affiliates', { name: 'x', legacy: [] }],
    ['POST', 'entities', { name: 'x' }],
    ['POST', 'entities', { name: 'x', affiliate_id: '1' }],
    ['POST', 'entities', { name: 'x', affiliate_id: 1, fees: {} }],
    ['POST', 'entities', { name: 'x', affiliate_id: 1, fees: ['\u0000'] }],
    ['POST', 'entities', { name: 'x', affiliate_id: 1, instant_caps: { first_usd: -1 } }],
    ['POST', 'entities', { name: 'x', affiliate_id: 1, instant_allowed: 'true' }],
    ['POST', 'entities', { name: 'x', affiliate_id: 1, webhook: {} }],
    ['POST', 'entities', { name: 'x', affiliate_id: 1, webhook: [] }],
    ['POST', 'api-keys', { affiliate_id: 1, expires_at: 'tomorrow' }],
    ['POST', 'api-keys', { affiliate_id: 1, expires_at: '9999-12-31T23:00:00-05:00' }],
    ['POST', 'api-keys', { affiliate_id: 1, scope: 'god' }],
    ['POST', 'tokens', { role: 'god' }],
    ['PATCH', 'tokens/1', { status: 'active' }],
    ['GET', 'audit-trail?subject=a&subject=b', undefined],
  ])('%s %s %j by the schema', async (method, path, body) => {
    const answer = await admin(method, path, body);
    expect([answer.status, answer.body]).toMatchObject([400, { success: false, error: { name: 'ZodError' } }]);
  });

  it.each([
    ['GET', 'affiliates/x', undefined, 400, 'Invalid Affiliate ID'],
    ['GET', 'affiliates/999999', undefined, 404, 'Affiliate not found'],
    ['GET', 'affiliates/99999999999999999999', undefined, 404, 'Affiliate not found'],
    ['PATCH', 'affiliates/999999', { name: 'x' }, 404, 'Affiliate not found'],
    ['POST', 'affiliates/999999/access-tokens', {}, 404, 'Affiliate not found'],
    ['GET', 'affiliates/999999/access-tokens', undefined, 404, 'Affiliate not found'],
    ['POST', 'entities', { affiliate_id: 999999, name: 'x' }, 404, 'Affiliate not found'],
    ['PATCH', 'entities/999999', {}, 404, 'Entity not found'],
    ['POST', 'entities/999999/webhook-secret', {}, 404, 'Entity not found'],
    ['PATCH', 'api-keys/999999', {}, 404, 'API key not found'],
    ['POST', 'api-keys/999999/webhook-secret', {}, 404, 'API key not found'],
    ['PATCH', 'tokens/999999', { status: 'revoked' }, 404, 'Token not found'],
  ])('%s %s %j with %d %s', async (method, path, body, status, detail) => {
    expect(await admin(method, path, body)).toEqual({ status, body: { detail, code: expect.any(String) } });
  });
});

describe('the OpenAPI document', () => {
  type Operation = { readonly operationId: string; readonly responses: Record<string, unknown> };

  it('shows every route of accounts with what it answers and refuses', async () => {
    const response = await fetch(`${accounts.service.url}/openapi.json`);
    const { paths } = (await response.json()) as { paths: Record<string, Record<string, Operation>> };
    const operations = Object.entries(paths)
      .filter(([path]) => path.startsWith('/operator/'))
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { responses }]) => ({ path, method, responses })),
      );
    expect(operations).toHaveLength(24);
    for (const { path, method, responses } of operations) {
      const expected = [method === 'post' ? '201' : '200', '401', '403', '500'];
      expect([path, method, Object.keys(responses)]).toEqual([path, method, expect.arrayContaining(expected)]);
    }
  });
});
