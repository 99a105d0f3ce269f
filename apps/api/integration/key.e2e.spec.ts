import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import {
  createAffiliate,
  createApiKey,
  createEntity,
  createKeyHash,
  migrations,
  openPartners,
  type Partners,
} from '#partners';
import { silentLogger } from '#platform/logging';
import { migrate } from '#platform/migrations';
import { createPool } from '#platform/postgres';
import { createSecrets } from '#platform/secrets';
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts';
import { type ServedApi, serveApi } from '../testing/serve-api.ts';

const secrets = createSecrets('a key of tests');
const hash = createKeyHash(secrets);
let database: FreshDatabase;
let pool: pg.Pool;
let partners: Partners;
let api: ServedApi;

beforeAll(async () => {
  database = await freshDatabase();
  await migrate(database.url, migrations);
  pool = createPool({ url: database.url, applicationName: 'test', logger: silentLogger });
  partners = await openPartners({ pool, secrets, logger: silentLogger });
  api = await serveApi(partners);
});

afterAll(async () => {
  await api.app.close();
  await partners.close();
  await pool.end();
  await database.drop();
});

const ask = async (headers: Record<string, string>) => {
  const response = await fetch(`${api.url}/casino/integration/key`, { headers });
  return { status: response.status, body: await response.json() };
};

const change = async (text: string, values: unknown[] = []): Promise<void> => {
  await pool.query(text, values);
  partners.forget();
};

const newPartner = async () => {
  const affiliateId = await createAffiliate(pool, 'test', { name: 'Northern Lights' });
  const casino = (name: string) => createEntity(pool, 'test', { affiliateId, name });
  const key = (entityId?: number, rest: { scope?: 'terminal'; name?: string } = {}) =>
    createApiKey(pool, hash, 'test', { affiliateId, ...(entityId === undefined ? {} : { entityId }), ...rest });
  return { affiliateId, casino, key };
};

const webhooksSeenBy = async (key: string) => {
  const { body } = (await ask({ 'x-api-key': key })) as { body: { entities: { id: number; webhook: unknown }[] } };
  return new Map(body.entities.map(({ id, webhook }) => [id, webhook]));
};

describe('GET /casino/integration/key', () => {
  it('describes an affiliate-wide key and every casino of its partner, in any status, ordered by id', async () => {
    const { affiliateId, key } = await newPartner();
    const insert =
      'INSERT INTO entities (affiliate_id, name, status, external_code) VALUES ($1, $2, $3, $4) RETURNING id';
    const casinos: number[] = [];
    for (const row of [
      ['One', 'enabled', 'one'],
      ['Two', 'active', null],
      ['Three', 'disabled', null],
    ]) {
      casinos.push((await pool.query<{ id: number }>(insert, [affiliateId, ...row])).rows[0]?.id ?? 0);
    }
    const other = await newPartner();
    await other.casino('of another partner');
    const { id, key: text } = await key(undefined, { name: 'Production' });
    await change("UPDATE api_keys SET expires_at = '2100-01-02T03:04:05.678Z' WHERE id = $1", [id]);
    expect(await ask({ 'X-API-Key': text })).toEqual({
      status: 200,
      body: {
        key: { id, name: 'Production', mode: 'live', scope: 'admin', expires_at: '2100-01-02T03:04:05.678Z' },
        affiliate: { id: affiliateId, name: 'Northern Lights' },
        entity_scope: null,
        entities: [
          { id: casinos[0], name: 'One', external_code: 'one', status: 'enabled', webhook: null },
          { id: casinos[1], name: 'Two', external_code: null, status: 'enabled', webhook: null },
          { id: casinos[2], name: 'Three', external_code: null, status: 'disabled', webhook: null },
        ],
      },
    });
  });

  it('shows a locked key its own casino alone', async () => {
    const { casino, key } = await newPartner();
    const [aurora] = [await casino('Aurora'), await casino('Borealis')];
    const { key: text } = await key(aurora);
    const { body } = await ask({ 'X-API-Key': text });
    expect(body).toMatchObject({
      key: { name: null, expires_at: null },
      entity_scope: { id: aurora, name: 'Aurora' },
      entities: [{ id: aurora }],
    });
    expect((body as { entities: unknown[] }).entities).toHaveLength(1);
  });

  it('says where the webhooks of a casino go: its own setting, else a key locked to it, else an affiliate-wide key', async () => {
    const { casino, key } = await newPartner();
    const [own, locked, wide] = [await casino('Own'), await casino('Locked'), await casino('Wide')];
    const [calling, wideKey, lockedKey] = [await key(), await key(), await key(locked)];
    const set = (table: string, id: number, url: string, secret: Buffer | null) =>
      change(`UPDATE ${table} SET webhook_url = $2, webhook_secret = $3 WHERE id = $1`, [id, url, secret]);
    await set('entities', own, 'https://own.example/', Buffer.from('sealed'));
    await set('api_keys', wideKey.id, 'https://wide.example/', null);
    await set('api_keys', lockedKey.id, 'https://locked.example/', Buffer.from('sealed'));
    expect(await webhooksSeenBy(calling.key)).toEqual(
      new Map([
        [own, { url: 'https://own.example/', signed: true, source: 'entity_override' }],
        [locked, { url: 'https://locked.example/', signed: true, source: 'api_key' }],
        [wide, { url: 'https://wide.example/', signed: false, source: 'api_key' }],
      ]),
    );

    await change("UPDATE api_keys SET status = 'inactive' WHERE id = $1", [lockedKey.id]);
    await change("UPDATE api_keys SET expires_at = now() - interval '1 day' WHERE id = $1", [wideKey.id]);
    const later = await webhooksSeenBy(calling.key);
    expect([later.get(locked), later.get(wide)]).toEqual([null, null]);
  });

  it('never returns a secret', async () => {
    const { casino, key } = await newPartner();
    const id = await casino('Own');
    await change("UPDATE entities SET webhook_url = 'https://x.example/', webhook_secret = 'hunter2' WHERE id = $1", [
      id,
    ]);
    const { body } = await ask({ 'X-API-Key': (await key()).key });
    expect(JSON.stringify(body)).not.toMatch(/hunter2|hash|secret/);
  });
});

describe('GET /casino/integration/key refuses', () => {
  it.each([
    ['no credential', {}, 401, 'Token or API key missing'],
    ['an empty key', { 'X-API-Key': '' }, 401, 'Token or API key missing'],
    ['another scheme', { Authorization: 'Basic abc' }, 401, 'Token or API key missing'],
    ['a name before the colon', { 'X-API-Key': 'x:y' }, 401, 'Invalid API key format'],
    ['nothing after the colon', { 'X-API-Key': '1:' }, 401, 'Invalid API key format'],
    ['an unknown key', { 'X-API-Key': '1:unknown' }, 401, 'Invalid API key'],
    ['an unknown key without a colon', { 'X-API-Key': 'unknown' }, 401, 'Invalid API key'],
    ['a very long key', { 'X-API-Key': `1:${'x'.repeat(8000)}` }, 401, 'Invalid API key'],
    ['a key beyond ASCII', { 'X-API-Key': '1:\u00e9' }, 401, 'Invalid API key'],
    [
      'a Bearer token',
      { Authorization: 'Bearer abc' },
      400,
      'This endpoint describes an API key; authenticate with X-API-Key',
    ],
  ])('%s', async (_, headers, status, detail) => {
    const body = { detail, code: expect.any(String) };
    expect(await ask(headers as Record<string, string>)).toEqual({ status, body });
  });

  it.each([
    ['terminal scope', "UPDATE api_keys SET scope = 'terminal'", 403, 'Insufficient permissions for this endpoint'],
    [
      'a disabled partner before its scope',
      "UPDATE affiliates SET status = 'disabled'",
      403,
      'Affiliate account is disabled',
    ],
    ['an archived partner', "UPDATE affiliates SET status = 'archived'", 403, 'Affiliate account is archived'],
    ['an expired key before its status', 'UPDATE api_keys SET expires_at = now()', 401, 'API key has expired'],
    ['an inactive key', "UPDATE api_keys SET status = 'inactive'", 401, 'API key is inactive'],
    ['a revoked key before its partner', "UPDATE api_keys SET status = 'revoked'", 401, 'API key is revoked'],
  ])('%s', async (_, statement, status, detail) => {
    const { affiliateId, key } = await newPartner();
    const { key: text } = await key();
    const column = statement.includes('UPDATE affiliates') ? 'id' : 'affiliate_id';
    await change(`${statement} WHERE ${column} = $1`, [affiliateId]);
    expect(await ask({ 'X-API-Key': text })).toEqual({ status, body: { detail, code: expect.any(String) } });
  });

  it('a valid key that is given twice', async () => {
    const { key } = await newPartner();
    const { key: text } = await key();
    expect((await ask({ 'X-API-Key': `${text}, ${text}` })).status).toBe(401);
  });

  it('a key whose record cannot be loaded any more', async () => {
    const gone = await serveApi({ ...partners, describeKey: async () => undefined });
    const { key } = await newPartner();
    const headers = { 'X-API-Key': (await key()).key };
    const response = await fetch(`${gone.url}/casino/integration/key`, { headers });
    expect([response.status, await response.json()]).toMatchObject([404, { detail: 'API key not found' }]);
    await gone.app.close();
  });

  it('other methods on its path', async () => {
    const response = await fetch(`${api.url}/casino/integration/key`, { method: 'POST' });
    expect([response.status, await response.text()]).toEqual([404, '404 Not Found']);
  });
});
