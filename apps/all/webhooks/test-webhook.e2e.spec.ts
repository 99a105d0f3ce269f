import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createAffiliate, createApiKey } from '#partners';
import { done } from '#partners/testing';
import { verifyWebhook, webhookEvents } from '#webhooks';
import { type Endpoint, hangs, openEndpoint } from '#webhooks/testing';
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts';
import { type ServedWebhooks, serveWebhooks } from '../testing/serve-webhooks.ts';

const secret = 'a secret of the casino';
let database: FreshDatabase;
let api: ServedWebhooks;
let endpoint: Endpoint;

beforeAll(async () => {
  database = await freshDatabase();
  api = await serveWebhooks(database.url);
  endpoint = await openEndpoint();
});

afterEach(() => {
  endpoint.arrived.length = 0;
  endpoint.answer((response) => response.writeHead(200).end('thanks'));
});

afterAll(async () => {
  await api.close();
  await endpoint.close();
  await database.drop();
});

type Partner = {
  readonly key: string;
  readonly keyId: number;
  readonly entityId: number;
  readonly affiliateId: number;
};

type Webhook = { readonly url: string; readonly secret?: string; readonly signed?: boolean } | null;

const newCasino = async (affiliateId: number, webhook: Webhook): Promise<number> => {
  const fields = { affiliate_id: affiliateId, name: 'Aurora', external_code: 'aurora', status: 'disabled' } as const;
  return (await done(api.partners.accounts.entities.add('test', { ...fields, webhook }))).id;
};

const newPartner = async (webhook: Webhook = { url: endpoint.url, secret }): Promise<Partner> => {
  const affiliateId = await createAffiliate(api.pool, 'test', { name: 'Northern' });
  const { id, key } = await createApiKey(api.pool, api.keyHash, 'test', { affiliateId });
  return { key, keyId: id, affiliateId, entityId: await newCasino(affiliateId, webhook) };
};

type Sent = { readonly body?: unknown; readonly raw?: string; readonly type?: string; readonly at?: string };

const send = async (key: string | undefined, { body, raw, type = 'application/json', at = api.url }: Sent) => {
  const headers = { ...(key !== undefined && { 'X-API-Key': key }), 'content-type': type };
  const text = raw ?? JSON.stringify(body);
  const response = await fetch(`${at}/casino/integration/test-webhook`, { method: 'POST', headers, body: text });
  const limit = ['limit', 'remaining', 'reset'].map((name) => response.headers.get(`x-ratelimit-${name}`));
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    limit,
    retryAfter: response.headers.get('retry-after'),
  };
};

const test = ({ key, entityId }: Partner, event = 'deposit.accepted') =>
  send(key, { body: { entity_id: entityId, event } });

describe('POST /casino/integration/test-webhook', () => {
  it.each(webhookEvents)('sends %s, signed like a real one and marked as a test', async (event) => {
    const partner = await newPartner();
    const { status, body } = await test(partner, event);
    const [arrived] = endpoint.arrived;
    expect([status, body]).toEqual([
      200,
      {
        event,
        url: endpoint.url,
        signed: true,
        signature: arrived?.headers['x-webhook-signature'],
        delivered: true,
        status_code: 200,
        duration_ms: expect.any(Number),
        response_excerpt: expect.stringMatching(/^(ok|thanks)$/),
        error: null,
        payload: JSON.parse(arrived?.body ?? ''),
      },
    ]);
    expect(body.payload).toMatchObject({
      event,
      test: true,
      deposit_id: 0,
      transaction_id: 0,
      entity_id: partner.entityId,
      entity_external_code: 'aurora',
    });
    expect(arrived?.headers).toMatchObject({ 'x-webhook-test': 'true', 'content-type': 'application/json' });
    expect(verifyWebhook(arrived?.body ?? '', arrived?.headers ?? {}, secret, { toleranceSeconds: 10 })).toBe(true);
    expect((await api.pool.query('SELECT 1 FROM webhook_deliveries')).rows).toEqual([]);
  });

  it('sends unsigned where the casino has no secret', async () => {
    const { body } = await test(await newPartner({ url: endpoint.url, signed: false }));
    expect(body).toMatchObject({ signed: false, signature: null, delivered: true });
    expect(endpoint.arrived[0]?.headers).not.toHaveProperty('x-webhook-signature');
  });

  it.each<[string, Parameters<Endpoint['answer']>[0], object]>([
    [
      'a refusal',
      (response) => response.writeHead(500).end('broken'),
      { status_code: 500, response_excerpt: 'broken', error: null },
    ],
    [
      'a redirect, which is not followed',
      (response) => response.writeHead(302, { location: '/hooks' }).end(),
      { status_code: 302, error: null },
    ],
    ['silence', hangs, { status_code: null, response_excerpt: null, error: expect.stringContaining('Timeout') }],
  ])('tells of %s, and sends once', async (_, how, expected) => {
    endpoint.answer(how);
    const { status, body } = await test(await newPartner());
    expect([status, body]).toEqual([200, expect.objectContaining({ delivered: false, ...expected })]);
    expect(endpoint.arrived).toHaveLength(1);
  });

  it('contacts public addresses alone', async () => {
    const strict = await serveWebhooks(database.url, { allowPrivate: false });
    const connections = endpoint.connections();
    const { key, entityId } = await newPartner();
    const { status, body } = await send(key, { body: { entity_id: entityId, event: 'kyt_complete' }, at: strict.url });
    await strict.close();
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ delivered: false, status_code: null, error: expect.stringContaining('non-public') }),
    ]);
    expect(endpoint.connections()).toBe(connections);
  });
});

describe('POST /casino/integration/test-webhook refuses', () => {
  const zod = { success: false, error: { name: 'ZodError', message: expect.any(String) } };

  it.each<[string, Sent, number, object]>([
    ['a body that is no JSON', { raw: '{' }, 400, { detail: 'Malformed JSON in request body', code: 'json_malformed' }],
    ['an empty body', { raw: '' }, 400, { detail: 'Malformed JSON in request body', code: 'json_malformed' }],
    ['a missing casino', { body: { event: 'kyt_complete' } }, 400, zod],
    ['a casino as text', { body: { entity_id: '1', event: 'kyt_complete' } }, 400, zod],
    ['a casino that is not positive', { body: { entity_id: 0, event: 'kyt_complete' } }, 400, zod],
    ['a missing event', { body: { entity_id: 1 } }, 400, zod],
    ['a wrong field before an unknown event', { body: { entity_id: null, event: 'x' } }, 400, zod],
    [
      'an unknown event before an unknown casino',
      { body: { entity_id: 999_999, event: 'deposit.paid' } },
      400,
      { detail: "Unknown event 'deposit.paid'.", code: 'event_unknown' },
    ],
    [
      'an unknown casino',
      { body: { entity_id: 999_999, event: 'kyt_complete' } },
      404,
      { detail: 'Entity not found for this affiliate', code: 'entity_not_found' },
    ],
    [
      'a body without the JSON content type, misleadingly',
      { body: { entity_id: 1, event: 'kyt_complete' }, type: 'text/plain' },
      400,
      { detail: "Unknown event 'undefined'.", code: 'event_unknown' },
    ],
  ])('%s, and counts it', async (_, sent, status, body) => {
    const { key } = await newPartner();
    expect(await send(key, sent)).toMatchObject({
      status,
      body,
      limit: ['10', '9', expect.stringMatching(/^\d{10}$/)],
    });
    expect(endpoint.arrived).toEqual([]);
  });

  it("another partner's casino, and another casino than the key's own", async () => {
    const [partner, other] = [await newPartner(), await newPartner()];
    expect(await test({ ...partner, entityId: other.entityId })).toMatchObject({ status: 404 });
    const entityId = await newCasino(partner.affiliateId, null);
    const locked = await createApiKey(api.pool, api.keyHash, 'test', { affiliateId: partner.affiliateId, entityId });
    const answer = await test({ ...partner, key: locked.key });
    expect(answer).toMatchObject({
      status: 403,
      body: { detail: 'API key is scoped to a different entity', code: 'api_key_of_another_entity' },
    });
    expect(answer.limit[1]).toBe('9');
  });

  it('a casino without an endpoint', async () => {
    const detail = 'No webhook URL is configured for this entity';
    expect(await test(await newPartner(null))).toMatchObject({
      status: 409,
      body: { detail, code: expect.any(String) },
    });
  });
});

describe('the rate limit', () => {
  it('lets ten calls through in a window, and says what is left and when it ends', async () => {
    const partner = await newPartner(null);
    const first = await test(partner);
    const reset = Number(first.limit[2]);
    expect(Math.abs(reset - (Date.now() / 1_000 + 60))).toBeLessThan(3);
    for (let left = 8; left >= 0; left--)
      expect((await test(partner)).limit).toEqual(['10', String(left), String(reset)]);
    const refused = await send(partner.key, { raw: '{' });
    const seconds = Number(refused.retryAfter);
    expect(refused).toMatchObject({
      status: 429,
      body: { detail: `Rate limit exceeded. Try again in ${seconds} seconds.`, code: 'rate_limited' },
      limit: ['10', '0', String(reset)],
    });
    expect(seconds).toBeGreaterThan(50);
    expect(seconds).toBeLessThanOrEqual(60);
  });

  it('starts a new window when the old one is over, and does not put it off by refused calls', async () => {
    const partner = await newPartner(null);
    for (let call = 0; call < 12; call++) await test(partner);
    await api.pool.query(
      "UPDATE webhook_test_calls SET window_start = window_start - interval '59 s' WHERE api_key_id = $1",
      [partner.keyId],
    );
    expect(await test(partner)).toMatchObject({ status: 429, retryAfter: '1' });
    await api.pool.query(
      "UPDATE webhook_test_calls SET window_start = window_start - interval '1 s' WHERE api_key_id = $1",
      [partner.keyId],
    );
    expect((await test(partner)).limit.slice(0, 2)).toEqual(['10', '9']);
  });

  it('counts together what comes at the same time to several instances', async () => {
    const other = await serveWebhooks(database.url);
    const { key } = await newPartner(null);
    const calls = Array.from({ length: 24 }, (_, i) => send(key, { body: {}, at: i % 2 ? api.url : other.url }));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    await other.close();
    expect(statuses.filter((status) => status === 400)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(14);
  });

  it('is waited for with one connection, however many calls of a key come at once', async () => {
    const partner = await newPartner(null);
    await test(partner);
    const holder = await api.pool.connect();
    await holder.query('BEGIN; SELECT FROM webhook_test_calls FOR UPDATE');
    const crowd = Array.from({ length: 60 }, () => test(partner));
    try {
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(api.pool.waitingCount).toBe(0);
    } finally {
      await holder.query('COMMIT');
      holder.release();
    }
    expect((await Promise.all(crowd)).filter(({ status }) => status === 429)).toHaveLength(51);
  });

  it('is told also to whoever finds too many before him', async () => {
    const partner = await newPartner(null);
    await test(partner);
    const holder = await api.pool.connect();
    await holder.query('BEGIN; SELECT FROM webhook_test_calls FOR UPDATE');
    const crowd = Array.from({ length: 240 }, () => test(partner));
    // Whoever is let in waits for the row that is held.
    await Promise.race(crowd);
    await holder.query('COMMIT');
    holder.release();
    const refused = (await Promise.all(crowd)).filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    for (const { limit, retryAfter } of refused)
      expect([...limit, retryAfter]).toEqual(['10', '0', expect.stringMatching(/^\d{10}$/), '2']);
  });

  it('counts each key by itself, and nobody who is not let in', async () => {
    const partner = await newPartner(null);
    const { affiliateId } = partner;
    const terminal = await createApiKey(api.pool, api.keyHash, 'test', { affiliateId, scope: 'terminal' });
    const none = [null, null, null];
    expect(await send(terminal.key, { body: {} })).toMatchObject({ status: 403, limit: none });
    expect(await send('1:wrong', { body: {} })).toMatchObject({ status: 401, limit: none });
    expect(await send(undefined, { raw: '{' })).toMatchObject({ status: 401, limit: none });
    const { rows } = await api.pool.query('SELECT 1 FROM webhook_test_calls WHERE api_key_id = $1', [terminal.id]);
    expect(rows).toEqual([]);
    const second = await createApiKey(api.pool, api.keyHash, 'test', { affiliateId });
    await test(partner);
    expect((await test({ ...partner, key: second.key })).limit[1]).toBe('9');
  });
});
