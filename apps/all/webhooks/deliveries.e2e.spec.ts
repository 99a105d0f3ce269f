import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, openEndpoint, openPostRoom, type PostRoom, targetAt } from '#webhooks/testing';
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts';
import { type ServedWebhooks, serveWebhooks } from '../testing/serve-webhooks.ts';

const token = 'the-operator-token-of-the-tests';
let database: FreshDatabase;
let api: ServedWebhooks;
let room: PostRoom;

beforeAll(async () => {
  database = await freshDatabase();
  api = await serveWebhooks(database.url);
  await api.partners.prepareTokens({ operator: token });
  room = await openPostRoom(database.url);
});

beforeEach(async () => {
  await api.pool.query('TRUNCATE webhook_deliveries, webhook_bodies, webhooks_undelivered, webhook_attempts');
});

afterAll(async () => {
  await room.close();
  await api.close();
  await database.drop();
});

const call = async (method: string, path: string, body?: unknown, bearer = token) => {
  const headers = {
    authorization: `Bearer ${bearer}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const sent = body === undefined ? null : JSON.stringify(body);
  const response = await fetch(`${api.url}/operator/webhook-deliveries${path}`, { method, headers, body: sent });
  return { status: response.status, body: (await response.json()) as Record<string, never> };
};

type Listed = { id: number; deposit_id: number; entity_id: number; status: string; attempts: object[] };

const listed = async (query = ''): Promise<readonly Listed[]> => {
  const { status, body } = await call('GET', query);
  expect(status).toBe(200);
  return body.deliveries as unknown as Listed[];
};

const made = async (entityId: number, count: number): Promise<void> => {
  room.targets.set(entityId, targetAt('http://127.0.0.1:9/hooks'));
  await room.made(entityId, count);
};

const die = (entityId: number) =>
  api.pool.query('UPDATE webhooks_undelivered SET due_at = NULL, failures = 11 WHERE entity_id = $1', [entityId]);

const deliverAll = () => api.pool.query('DELETE FROM webhooks_undelivered');

const tokenOf = async (role: 'admin' | 'ops' | 'auditor' | 'engine'): Promise<string> =>
  (await api.partners.accounts.tokens.add('test', { role })).token;

describe('GET /operator/webhook-deliveries', () => {
  it('shows deliveries with their attempts, newest first, by deposit, casino and status', async () => {
    await made(1, 3);
    await made(2, 2);
    await die(2);
    const all = await listed();
    expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toSorted((a, b) => b - a));
    expect(all[4]).toEqual({
      id: expect.any(Number),
      webhook_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      event: 'transaction.pending',
      deposit_id: 0,
      entity_id: 1,
      transaction_id: null,
      affiliate_id: null,
      url: 'http://127.0.0.1:9/hooks',
      status: 'pending',
      created_at: expect.any(String),
      attempts: [],
      next_attempt_at: expect.any(String),
    });
    expect((await listed('?entity_id=2')).map(({ status }) => status)).toEqual(['dead', 'dead']);
    expect((await listed('?status=pending')).map(({ entity_id }) => entity_id)).toEqual([1, 1, 1]);
    expect(await listed('?status=pending&entity_id=2')).toEqual([]);
    expect((await listed('?status=dead&entity_id=2&deposit_id=1')).map(({ deposit_id }) => deposit_id)).toEqual([1]);
    expect(await listed('?status=dead&entity_id=1')).toEqual([]);
    expect(await listed('?status=delivered')).toEqual([]);
    await deliverAll();
    await made(1, 1);
    expect(await listed('?status=dead')).toEqual([]);
    expect((await listed('?status=delivered&entity_id=1')).map(({ status }) => status)).toEqual(
      Array.from({ length: 3 }, () => 'delivered'),
    );
    expect((await listed('?deposit_id=2')).map(({ deposit_id }) => deposit_id)).toEqual([2]);
  });

  it.each(['', '&status=pending', '&status=pending&entity_id=1'])('gives page after page of %p', async (filters) => {
    await made(1, 5);
    const ids: number[] = [];
    let cursor: string | null = null;
    do {
      const { body } = await call('GET', `?limit=2${filters}${cursor === null ? '' : `&cursor=${cursor}`}`);
      ids.push(...(body.deliveries as unknown as Listed[]).map(({ id }) => id));
      cursor = body.next_cursor ?? null;
    } while (cursor !== null);
    expect(new Set(ids).size).toBe(5);
  });

  it.each(['?status=lost', '?entity_id=x', '?cursor=y'])('refuses %s', async (query) => {
    expect((await call('GET', query)).status).toBe(400);
  });

  it('is open to auditors, and what changes something is not', async () => {
    const auditor = await tokenOf('auditor');
    expect((await call('GET', '', undefined, auditor)).status).toBe(200);
    const since = '2026-01-01T00:00:00Z';
    for (const [path, body] of [['/1/redeliver'], ['/replay', { entity_id: 1, since }]] as const)
      expect((await call('POST', path, body, auditor)).status).toBe(403);
    expect((await call('GET', '', undefined, await tokenOf('engine'))).status).toBe(403);
    expect((await call('GET', '', undefined, await tokenOf('ops'))).status).toBe(200);
    expect((await call('GET', '', undefined, 'nobody')).status).toBe(401);
  });
});

describe('POST /operator/webhook-deliveries/{id}/redeliver', () => {
  it('sends a dead delivery again, with the same id, and records who asked for it', async () => {
    await made(1, 1);
    await die(1);
    const [{ id } = { id: 0 }] = await listed();
    expect(await call('POST', `/${id}/redeliver`)).toMatchObject({ status: 202, body: { id, status: 'pending' } });
    const endpoint = await openEndpoint();
    room.targets.set(1, targetAt(endpoint.url));
    const scheduler = room.scheduler();
    await eventually('it arrives', () => endpoint.arrived.length === 1);
    await eventually('it is done', async () => (await listed())[0]?.status === 'delivered');
    await scheduler.stop();
    await endpoint.close();
    const { rows } = await api.pool.query(
      "SELECT actor, action, subject_id FROM audit_trail WHERE subject = 'webhook_delivery'",
    );
    expect(rows).toEqual([
      { actor: expect.stringMatching(/^operator token \d+$/), action: 'changed', subject_id: `${id}` },
    ]);
  });

  it.each([
    ['x', 400, 'Invalid delivery ID'],
    ['999999', 404, 'Delivery not found'],
    ['99999999999999999999', 404, 'Delivery not found'],
  ])('refuses %s', async (id, status, detail) => {
    expect(await call('POST', `/${id}/redeliver`)).toEqual({ status, body: { detail, code: expect.any(String) } });
  });

  it('refuses what is being sent at this moment, and what has no body any more', async () => {
    await made(1, 1);
    const [{ id } = { id: 0 }] = await listed();
    await api.pool.query(
      "UPDATE webhooks_undelivered SET lease = gen_random_uuid(), leased_until = now() + interval '1 minute'",
    );
    expect((await call('POST', `/${id}/redeliver`)).status).toBe(409);
    await deliverAll();
    await api.pool.query('DELETE FROM webhook_bodies');
    expect((await call('POST', `/${id}/redeliver`)).status).toBe(409);
  });
});

describe('POST /operator/webhook-deliveries/replay', () => {
  it("sends all of a casino's since a time again, and records who asked for it", async () => {
    await made(1, 3);
    await made(2, 1);
    await deliverAll();
    await api.pool.query("UPDATE webhook_deliveries SET created_at = now() - interval '1 day' WHERE deposit_id = 0");
    const since = new Date(Date.now() - 60_000).toISOString();
    expect(await call('POST', '/replay', { entity_id: 1, since })).toEqual({ status: 202, body: { replayed: 2 } });
    expect((await listed('?status=pending')).map(({ entity_id }) => entity_id)).toEqual([1, 1]);
    const { rows } = await api.pool.query("SELECT after FROM audit_trail WHERE subject = 'webhook_replay'");
    expect(rows).toEqual([{ after: { entity_id: 1, since } }]);
  });

  it.each([{}, { entity_id: 1 }, { entity_id: '1', since: '2026-01-01T00:00:00Z' }, { entity_id: 1, since: 'today' }])(
    'refuses %j',
    async (body) => {
      expect((await call('POST', '/replay', body)).status).toBe(400);
    },
  );
});
