import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { accept, confirmed, kyt, ofac, seen } from '#deposits/testing';
import { done } from '#partners/testing';
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts';
import { serveReads } from '../testing/serve-reads.ts';

type Served = Awaited<ReturnType<typeof serveReads>>;

let database: FreshDatabase;
let served: Served;
let affiliateId: number;
let casino: number;
let sister: number;
let closed: number;
let foreign: number;
let key: Record<string, string>;
let locked: Record<string, string>;

const keyOf = async (affiliate: number, entity: number | null = null) => {
  const { key } = await done(served.accounts.apiKeys.add('test', { affiliate_id: affiliate, entity_id: entity }));
  return { 'x-api-key': key ?? '' };
};

beforeAll(async () => {
  database = await freshDatabase();
  served = await serveReads(database.url);
  const { affiliates, entities } = served.accounts;
  const [own, other] = [await affiliates.add('test', { name: 'own' }), await affiliates.add('test', { name: 'other' })];
  const entity = async (affiliate_id: number, status: 'enabled' | 'disabled' = 'enabled') =>
    (await done(entities.add('test', { affiliate_id, name: 'A casino', status }))).id;
  affiliateId = own.id;
  [casino, sister, closed] = [await entity(own.id), await entity(own.id), await entity(own.id, 'disabled')];
  foreign = await entity(other.id);
  [key, locked] = [await keyOf(own.id), await keyOf(own.id, sister)];
  const paid = [seen(), kyt('passed'), ofac('clear'), confirmed(), accept()];
  for (const depositId of [1, 2, 3]) await served.happened({ depositId, affiliateId, entityId: casino }, ...paid);
  for (let depositId = 4; depositId <= 60; depositId++)
    await served.happened({ depositId, affiliateId, entityId: casino, currency: 'BTC' });
  await served.happened({ depositId: 70, affiliateId, entityId: closed });
  await served.happened({ depositId: 80, affiliateId: other.id, entityId: foreign });
});

afterAll(async () => {
  await served.close();
  await database.drop();
});

const get = (path: string, headers = key) => served.ask(path, headers);
const list = (query: string, headers = key) => get(`/casino/deposits?${query}`, headers);
const idsOf = ({ body }: { body: { deposits: { id: number }[] } }) => body.deposits.map(({ id }) => id);
const refused = (status: number, detail: string) => ({ status, body: { detail, code: expect.any(String) } });

describe('GET /casino/deposit/{id}', () => {
  it('shows the deposit', async () => {
    const { status, body } = await get('/casino/deposit/1');
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: 1, status: 'Confirmed', decision: 'accepted', crypto_rate: '50', wallet: null });
  });

  it('does not check the status of the casino', async () => {
    expect((await get('/casino/deposit/70')).status).toBe(200);
  });

  it.each(['abc', '1x', '-1', '1.0', '%D9%A1', '1%0A', '%20'])('takes %j for no id', async (id) => {
    expect(await get(`/casino/deposit/${id}`)).toEqual(refused(400, 'Invalid deposit ID'));
  });

  it.each(['0', '999', '9'.repeat(16), '9'.repeat(400), '80'])('knows no deposit %s', async (id) => {
    expect(await get(`/casino/deposit/${id}`)).toEqual(refused(404, 'Deposit not found'));
  });

  it("hides another casino's deposit from a key that is locked to one", async () => {
    expect(await get('/casino/deposit/1', locked)).toEqual(refused(404, 'Deposit not found'));
  });

  it('shows at once what was written, however far the rows are', async () => {
    await served.happened({ depositId: 200, affiliateId, entityId: sister });
    expect((await get('/casino/deposit/200')).body).toMatchObject({ id: 200, status: 'Pending' });
  });
});

describe('GET /casino/deposits', () => {
  it('pages newest first, with the total of all pages', async () => {
    const first = await list(`entity_id=${casino}`);
    expect([first.status, first.body.total, idsOf(first).length, idsOf(first)[0]]).toEqual([200, 60, 50, 60]);
    const last = await list(`entity_id=${casino}&offset=50&limit=50`);
    expect([last.body.total, idsOf(last)]).toEqual([60, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]]);
    expect(first.body.deposits[0]).toEqual((await get('/casino/deposit/60')).body);
  });

  it.each([
    ['decision=accepted', 3],
    ['decision=pending&currency=BTC', 57],
    ['currency=ETH', 0],
    ['decision=undecided', 0],
    ['decision=', 0],
    ['decision=%00', 0],
  ])('counts what %s leaves', async (filter, total) => {
    const { status, body } = await list(`entity_id=${casino}&limit=100&${filter}`);
    expect([status, body.total, body.deposits.length]).toEqual([200, total, total]);
  });

  it.each([
    ['limit=0', 50],
    ['limit=-1', 50],
    ['limit=ten', 50],
    ['limit=', 50],
    ['limit=1&limit=2', 50],
    ['limit=7', 7],
    ['limit=101', 60],
    [`limit=${'9'.repeat(50)}`, 60],
    ['offset=-1', 50],
    ['offset=x', 50],
    ['offset=59', 1],
    ['offset=60', 0],
    [`offset=${'9'.repeat(50)}`, 0],
  ])('reads %s', async (paging, length) => {
    const { status, body } = await list(`entity_id=${casino}&${paging}`);
    expect([status, body.total, body.deposits.length]).toEqual([200, 60, length]);
  });

  it.each(['', 'currency=BTC', `entity_id=1&entity_id=2`, 'entity_id=1&currency=DOGE', 'entity_id=1&currency='])(
    'answers the validation body to ?%s',
    async (query) => {
      const { status, body } = await list(query);
      expect([status, body]).toEqual([
        400,
        { success: false, error: { name: 'ZodError', message: expect.stringMatching(/^\[\{"path":\["/) } },
      ]);
    },
  );

  it('is about one casino, which the key may see and which is enabled', async () => {
    expect(await list('entity_id=')).toEqual(refused(400, 'entity_id is required'));
    for (const id of ['x', '1.0', '-1', '%201'])
      expect(await list(`entity_id=${id}`)).toEqual(refused(400, 'Invalid entity_id'));
    const other = refused(403, 'API key is scoped to a different entity');
    for (const id of [casino, closed, foreign, '9'.repeat(50)])
      expect(await list(`entity_id=${id}`, locked)).toEqual(other);
    const missing = refused(404, 'Entity not found for this affiliate');
    for (const id of [foreign, 0, 999_999, '9'.repeat(50)]) expect(await list(`entity_id=${id}`)).toEqual(missing);
    const disabled = refused(403, "Entity status is 'disabled', must be 'active' or 'enabled'");
    expect(await list(`entity_id=${closed}&decision=undecided`)).toEqual(disabled);
  });

  it('shows at once what was written', async () => {
    for (let depositId = 300; depositId < 320; depositId++) {
      await served.happened({ depositId, affiliateId, entityId: sister });
      expect(idsOf(await list(`entity_id=${sister}&limit=1`, locked))).toEqual([depositId]);
    }
  });

  it('asks for a key before it looks at anything else', async () => {
    expect(await list('', {})).toEqual(refused(401, 'Token or API key missing'));
    expect(await get('/casino/deposit/x', {})).toEqual(refused(401, 'Token or API key missing'));
  });
});

describe('the OpenAPI document', () => {
  it('has every key of the Deposit object and of a charge', async () => {
    const { schemas } = (await get('/openapi.json')).body.components;
    const documented = (name: string) => Object.keys(schemas[name]?.properties ?? {}).sort();
    const shown = (await get('/casino/deposit/2')).body;
    expect(documented('DepositBody')).toEqual([...Object.keys(shown), 'late_payment'].sort());
    const charge = ['amount_crypto', 'amount_usd', 'beneficiary', 'kind', 'paid_by', 'percent'];
    expect(documented('ChargeBody')).toEqual(charge);
    expect(documented('DepositListBody')).toEqual(['deposits', 'total']);
  });
});
