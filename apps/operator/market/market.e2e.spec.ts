import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts';
import { type ServedMarket, serveMarket } from './testing/serve-market.ts';

const ZPUB =
  'zpub6qyTYMBt1YH7hQuWTMhocAR8hnhBJwtT56VjMBJDGT7JpcXc64Qafb3Hy9aXzoTxeqGVP463SnZGT3Yg6MwcbTmGiMYreSm8SrHrXXecQrM';

let database: FreshDatabase;
let market: ServedMarket;

beforeAll(async () => {
  database = await freshDatabase();
  market = await serveMarket(database.url);
});

afterAll(async () => {
  await market.close();
  await database.drop();
});

const admin = (method: string, path: string, body?: unknown) => market.call(market.tokens.admin, method, path, body);
const ops = (method: string, path: string, body?: unknown) => market.call(market.tokens.ops, method, path, body);

/** A validation error in the shape of the partner interface, about one field. */
const mismatchOf = (field: string) => ({
  status: 400,
  body: {
    success: false,
    error: { name: 'ZodError', message: expect.stringContaining(`"path":["${field}"]`) },
  },
});

const lastChange = async () => {
  const { rows } = await market.pool.query(
    'SELECT id, actor, subject, subject_id, before, after FROM audit_trail ORDER BY id DESC LIMIT 1',
  );
  return rows[0];
};

describe('who may call', () => {
  const reads = ['currencies', 'rates', 'address-pool', 'extended-keys'].map((path) => ['GET', path] as const);
  const changes = [
    ['PUT', 'currencies/BTC', { enabled: true }],
    ['PUT', 'rates/BTC', { usd: '1' }],
    ['DELETE', 'rates/BTC', undefined],
    ['POST', 'addresses', { currency: 'BTC', addresses: ['not-to-be-added'] }],
    ['PUT', 'address-pool/BTC', { available: true }],
    ['PUT', 'extended-keys/BTC', { xpub: 'xpub' }],
  ] as const;

  it.each(reads)('%s /operator/%s: those who look after the market, and auditors', async (method, path) => {
    const { admin, ops: desk, auditor, engine } = market.tokens;
    const statuses = [admin, desk, auditor, engine, 'wrong'].map(
      async (token) => (await market.call(token, method, `/operator/${path}`)).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 200, 200, 403, 401]);
  });

  it.each(changes)('%s /operator/%s: not auditors, not the engine', async (method, path, body) => {
    const { auditor, engine } = market.tokens;
    const before = await lastChange();
    const statuses = [auditor, engine, 'wrong'].map(
      async (token) => (await market.call(token, method, `/operator/${path}`, body)).status,
    );
    expect(await Promise.all(statuses)).toEqual([403, 403, 401]);
    expect(await lastChange()).toEqual(before);
  });
});

describe('/operator/currencies', () => {
  it('switches a currency off and on again, at once, and says who did it', async () => {
    expect(await ops('PUT', '/operator/currencies/LTC', { enabled: false })).toEqual({
      status: 200,
      body: { ticker: 'LTC', enabled: false },
    });
    expect(await market.currencies.isEnabled('LTC')).toBe(false);
    expect(await lastChange()).toMatchObject({
      actor: expect.stringMatching(/^operator token \d+$/),
      subject: 'currency',
      subject_id: 'LTC',
      before: { enabled: true },
      after: { enabled: false },
    });
    await ops('PUT', '/operator/currencies/LTC', { enabled: true });
    const { body } = await ops('GET', '/operator/currencies');
    expect(body).toEqual({ currencies: expect.arrayContaining([{ ticker: 'LTC', enabled: true }]) });
    expect((body as { currencies: unknown[] }).currencies).toHaveLength(6);
  });

  it('knows no other currency and takes no other word', async () => {
    expect(await ops('PUT', '/operator/currencies/DOGE', { enabled: false })).toEqual({
      status: 404,
      body: { detail: "Unknown currency 'DOGE'", code: 'currency_unknown' },
    });
    expect(await ops('PUT', '/operator/currencies/BTC', { enabled: 'false' })).toEqual(mismatchOf('enabled'));
    expect(await ops('PUT', '/operator/currencies/BTC', {})).toEqual(mismatchOf('enabled'));
  });
});

describe('/operator/rates', () => {
  it('pins a rate as it is written, and gives it back to the providers', async () => {
    const pinned = { ticker: 'BTC', pinned: true, usd: '64999.99' };
    expect(await ops('PUT', '/operator/rates/BTC', { usd: '64999.990' })).toEqual({ status: 200, body: pinned });
    expect(await market.rates.current('BTC')).toBe('64999.99');
    const { body } = await ops('GET', '/operator/rates');
    expect(body).toMatchObject({ rates: expect.arrayContaining([{ ...pinned, current: '64999.99' }]) });
    expect(await ops('DELETE', '/operator/rates/BTC')).toEqual({
      status: 200,
      body: { ticker: 'BTC', pinned: false, usd: null },
    });
    expect(await market.rates.current('BTC')).toBe('60000');
  });

  it('pins that there is none', async () => {
    const body = { ticker: 'ETH', pinned: true, usd: null };
    expect(await ops('PUT', '/operator/rates/ETH', { usd: null })).toEqual({ status: 200, body });
    expect(await market.rates.current('ETH')).toBe('unavailable');
  });

  it.each([60000, '0', '0.000', '-1', '1e5', '', ' 1', '1,5', 'Infinity', true, [], undefined])(
    'takes no rate of %j',
    async (usd) => {
      expect(await ops('PUT', '/operator/rates/LTC', { usd })).toEqual(mismatchOf('usd'));
      expect(await market.rates.current('LTC')).toBe('80');
    },
  );

  it('knows no other currency', async () => {
    expect((await ops('PUT', '/operator/rates/DOGE', { usd: '1' })).status).toBe(404);
    expect((await ops('DELETE', '/operator/rates/DOGE')).status).toBe(404);
  });
});

describe('/operator/addresses and /operator/address-pool', () => {
  const pool = async (wanted: string) => {
    const { body } = await ops('GET', '/operator/address-pool');
    return (body as { pools: { ticker: string }[] }).pools.find(({ ticker }) => ticker === wanted);
  };

  it('add to a pool, and tell how many are left', async () => {
    const answer = await admin('POST', '/operator/addresses', {
      currency: 'DASH',
      addresses: ['Xx5YK5CtNNHegPC7WUsR38cfeKiLVq1EER', 'Xr1catQH7hhHgQbA1xPAbfZQc5UeDNmYw4'],
    });
    expect(answer).toEqual({ status: 201, body: { added: 2 } });
    expect(await market.addresses.take('DASH', 101)).toBe('Xx5YK5CtNNHegPC7WUsR38cfeKiLVq1EER');
    expect(await pool('DASH')).toEqual({
      ticker: 'DASH',
      available: true,
      free: expect.any(Number),
      taken: 1,
      low_water: 40,
      high_water: 120,
    });
  });

  it('add nothing when an address is there already, and name it', async () => {
    await admin('POST', '/operator/addresses', { currency: 'BCH', addresses: ['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'] });
    expect(
      await admin('POST', '/operator/addresses', {
        currency: 'BCH',
        addresses: ['bitcoincash:qpmp9g37m0869fd7j8e9hfrwp3ut44yy9gvtqk9fef', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
      }),
    ).toEqual({
      status: 409,
      body: {
        detail: 'Nothing was added: already in a pool, or given to a deposit: 1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
        code: 'address_known',
      },
    });
    expect(
      await admin('POST', '/operator/addresses', {
        currency: 'BCH',
        addresses: [
          'bitcoincash:qpmp9g37m0869fd7j8e9hfrwp3ut44yy9gvtqk9fef',
          'bitcoincash:qpmp9g37m0869fd7j8e9hfrwp3ut44yy9gvtqk9fef',
        ],
      }),
    ).toEqual({
      status: 400,
      body: {
        detail: 'Nothing was added: listed more than once: bitcoincash:qpmp9g37m0869fd7j8e9hfrwp3ut44yy9gvtqk9fef',
        code: 'address_repeated',
      },
    });
    expect(
      (
        await admin('POST', '/operator/addresses', {
          currency: 'BCH',
          addresses: ['bitcoincash:qpmp9g37m0869fd7j8e9hfrwp3ut44yy9gvtqk9fef'],
        })
      ).status,
    ).toBe(201);
  });

  it('add no address that coins would not arrive at', async () => {
    const addresses = ['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', 'ATTACKER-ADDRESS'];
    expect(await admin('POST', '/operator/addresses', { currency: 'LTC', addresses })).toEqual({
      status: 400,
      body: {
        detail: `Nothing was added: no address of the main network of LTC: ${addresses.join(', ')}`,
        code: 'address_invalid',
      },
    });
  });

  it.each([
    ['addresses', { currency: 'BTC', addresses: [] }],
    ['addresses', { currency: 'BTC', addresses: 'one' }],
    ['addresses', { currency: 'BTC', addresses: [''] }],
    ['addresses', { currency: 'BTC', addresses: ['x'.repeat(129)] }],
    ['addresses', { currency: 'BTC', addresses: ['with space'] }],
    ['addresses', { currency: 'BTC', addresses: ['line\nbreak'] }],
    ['addresses', { currency: 'BTC', addresses: [7] }],
    ['addresses', { currency: 'BTC' }],
    ['currency', { currency: 'DOGE', addresses: ['one'] }],
    ['currency', { addresses: ['one'] }],
  ])('take no other %s: %j', async (field, body) => {
    expect(await admin('POST', '/operator/addresses', body)).toEqual(mismatchOf(field));
  });

  it('close a pool and open it again', async () => {
    const closed = { ticker: 'ETH', available: false };
    expect(await ops('PUT', '/operator/address-pool/ETH', { available: false })).toEqual({ status: 200, body: closed });
    expect(await market.addresses.take('ETH', 102)).toBeUndefined();
    expect(await pool('ETH')).toMatchObject(closed);
    await ops('PUT', '/operator/address-pool/ETH', { available: true });
    expect(await market.addresses.take('ETH', 102)).toMatch(/^0x/);
    expect((await ops('PUT', '/operator/address-pool/DOGE', { available: true })).status).toBe(404);
    expect(await ops('PUT', '/operator/address-pool/ETH', { available: 1 })).toEqual(mismatchOf('available'));
  });
});

describe('/operator/extended-keys', () => {
  it('derive from a wallet of the operator from now on, and show its first address to compare', async () => {
    const answer = await admin('PUT', '/operator/extended-keys/BTC', { xpub: ZPUB, note: "m/84'/0'/0'" });
    expect(answer).toEqual({
      status: 200,
      body: {
        ticker: 'BTC',
        xpub: ZPUB,
        origin: 'operator',
        note: "m/84'/0'/0'",
        next_index: expect.any(Number),
        first_address: 'bc1qyadz4029a7rnas4g55upr6dygnsnxvl2jj0lls',
      },
    });
    expect(await lastChange()).toMatchObject({ subject: 'extended_key', subject_id: 'BTC', after: { xpub: ZPUB } });
    expect(await market.addresses.take('BTC', 103)).toBe('bc1qyadz4029a7rnas4g55upr6dygnsnxvl2jj0lls');
    const { body } = await ops('GET', '/operator/extended-keys');
    const { extended_keys: keys } = body as { extended_keys: { ticker: string; origin: string }[] };
    expect(keys.map(({ ticker, origin }) => `${ticker} ${origin}`)).toEqual([
      'BTC operator',
      'LTC first start',
      'ETH first start',
      'DASH first start',
      'MARS first start',
      'BCH first start',
    ]);
  });

  it('take no key whose private side everybody has', async () => {
    const published =
      'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
    const { status, body } = await admin('PUT', '/operator/extended-keys/BTC', { xpub: published });
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('published test vector')]);
  });

  it('take no private key, and never repeat or record it', async () => {
    const xprv =
      'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi';
    const { status, body } = await admin('PUT', '/operator/extended-keys/LTC', { xpub: xprv });
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('this is a private one')]);
    expect(JSON.stringify(body)).not.toContain(xprv.slice(10));
    const { rows } = await market.pool.query<{ text: string }>('SELECT t::text AS text FROM audit_trail t');
    expect(rows.map(({ text }) => text).join()).not.toContain(xprv.slice(10));
  });

  it('are those of every known currency, in its own spellings', async () => {
    expect((await admin('PUT', '/operator/extended-keys/DOGE', { xpub: ZPUB })).status).toBe(404);
    expect(await admin('PUT', '/operator/extended-keys/DASH', { xpub: ZPUB })).toEqual(mismatchOf('xpub'));
    expect(await admin('PUT', '/operator/extended-keys/ETH', { xpub: ZPUB })).toEqual(mismatchOf('xpub'));
  });
});

describe('the OpenAPI document', () => {
  it('shows every route', async () => {
    const { body } = await ops('GET', '/openapi.json');
    const { paths } = body as { paths: Record<string, Record<string, { responses: Record<string, unknown> }>> };
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(routes.toSorted()).toEqual([
      'DELETE /operator/rates/{ticker}',
      'GET /operator/address-pool',
      'GET /operator/currencies',
      'GET /operator/extended-keys',
      'GET /operator/rates',
      'POST /operator/addresses',
      'PUT /operator/address-pool/{ticker}',
      'PUT /operator/currencies/{ticker}',
      'PUT /operator/extended-keys/{ticker}',
      'PUT /operator/rates/{ticker}',
    ]);
  });
});
