import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  eventually,
  getWithBody,
  issueToken,
  type LegacyPartner,
  legacyRates,
  newLegacyPartner,
  pinLegacyRates,
  type Service,
  verdict,
} from '../harness/index.ts';

const legacy = {
  subdomain: 'north',
  logo: 'https://north.example/l.png',
  default_coin: 'LTC',
  cryptos: ['LTC', 'BCH'],
};

const coins = ['BTC', 'DASH', 'MARS', 'LTC', 'BCH'];

export const legacyAccounts = (service: Service): void => {
  let partner: LegacyPartner;
  beforeAll(async () => {
    await pinLegacyRates(service);
    partner = await newLegacyPartner(service, { legacy });
  });

  const get = (path: string, body: unknown) => getWithBody(service.access().url, path, JSON.stringify(body));
  const refresh = (refresh_token: unknown) => service.call('POST', '/refresh_token', { json: { refresh_token } });

  describe('/cryptos', () => {
    it("lists the affiliate's own, and brings both tokens", async () => {
      const { status, body } = await partner.post('/cryptos');
      expect(status).toBe(200);
      const access_token = partner.accessToken;
      expect(body).toEqual({ cryptos: ['LTC', 'BCH'], access_token, refresh_token: expect.any(String) });
      const refused = await partner.post('/create_transaction', partner.order({ crypto_selected: 'BTC' }));
      expect(refused.status).toBe(401);
      const everything = await newLegacyPartner(service);
      expect((await everything.post('/cryptos')).body.cryptos).toEqual(coins);
      const few = await newLegacyPartner(service, { currencies: ['BTC', 'ETH', 'MARS'] });
      expect((await few.post('/cryptos')).body.cryptos).toEqual(['BTC', 'MARS']);
    });

    it('is answered as a GET with a body alike', async () => {
      const { status, body } = await get('/cryptos', { access_token: partner.accessToken });
      expect(status).toBe(200);
      expect(body).toMatchObject({ cryptos: ['LTC', 'BCH'], access_token: partner.accessToken });
    });

    it('brings a refresh token that buys a pair', async () => {
      const { body } = await partner.post('/cryptos');
      const { status, body: pair } = await refresh(body.refresh_token);
      expect(status).toBe(200);
      expect(pair).toEqual({ access_token: expect.any(String), refresh_token: expect.any(String) });
      expect((await partner.post('/get_info', { access_token: pair.access_token })).status).toBe(200);
    });

    it('leaves out what is switched off', async () => {
      await service.operator('PUT', '/operator/currencies/BCH', { enabled: false });
      const { body } = await partner.post('/cryptos');
      const refused = await partner.post('/create_transaction', partner.order());
      await service.operator('PUT', '/operator/currencies/BCH', { enabled: true });
      expect(body.cryptos).toEqual(['LTC']);
      expect(refused.status).toBe(401);
    });
  });

  describe('GET /crypto_prices', () => {
    const prices = Object.fromEntries(Object.entries(legacyRates).map(([coin, usd]) => [coin, Number(usd)]));

    it('lists every enabled coin that has a rate, with a token or without', async () => {
      expect(verdict(await service.call('GET', '/crypto_prices'))).toEqual({ status: 200, prices });
      const headers = { 'Content-Type': 'application/json' };
      expect((await service.call('GET', '/crypto_prices', { headers })).status).toBe(200);
      expect((await get('/crypto_prices', {})).body).toEqual({ prices });
      const { status, body } = await get('/crypto_prices', { access_token: partner.accessToken });
      expect([status, body]).toEqual([200, { prices, access_token: partner.accessToken }]);
    });

    it('leaves out what has no rate or is switched off', async () => {
      await service.operator('PUT', '/operator/rates/MARS', { usd: null });
      await service.operator('PUT', '/operator/currencies/DASH', { enabled: false });
      const { body } = await service.call('GET', '/crypto_prices');
      await service.operator('PUT', '/operator/rates/MARS', { usd: legacyRates.MARS });
      await service.operator('PUT', '/operator/currencies/DASH', { enabled: true });
      expect(Object.keys(body.prices as object)).toEqual(['BTC', 'LTC', 'BCH']);
    });

    it.each(['nobody', '', 5, null])('answers 401 to a token that is none: %j', async (access_token) => {
      expect((await get('/crypto_prices', { access_token })).status).toBe(401);
    });
  });

  describe('POST /get_info', () => {
    it('tells who the affiliate is', async () => {
      const { cryptos: _, ...info } = legacy;
      const { status, body } = await partner.post('/get_info');
      expect([status, body]).toEqual([200, { affiliate_id: partner.affiliateId, ...info }]);
    });
  });

  describe('an access token', () => {
    const routes = ['/cryptos', '/get_info', '/check_transaction', '/cancel_transaction', '/create_transaction'];
    const asked = async (access_token: string) => {
      const body = { ...partner.order({ crypto_selected: 'LTC' }), transaction_id: 1, access_token };
      return Promise.all(routes.map(async (route) => (await partner.post(route, body)).status));
    };
    const refused = routes.map(() => 401);

    it('that is over, revoked or unknown is 401 on every route', async () => {
      const over = await issueToken(service, partner.affiliateId, { expires_at: '2020-01-01T00:00:00Z' });
      expect(await asked(over.accessToken)).toEqual(refused);
      const { id, accessToken, refreshToken } = await issueToken(service, partner.affiliateId);
      expect((await asked(accessToken))[0]).toBe(200);
      const route = `/operator/affiliates/${partner.affiliateId}/access-tokens/${id}`;
      await service.operator('PATCH', route, { status: 'revoked' });
      expect(await asked(accessToken)).toEqual(refused);
      expect(verdict(await refresh(refreshToken))).toEqual({ status: 401, detail: expect.any(String) });
      expect(await asked('nobody')).toEqual(refused);
    });

    it.each(['disabled', 'archived'])('of an affiliate that is %s is 403', async (status) => {
      const { affiliateId, post } = await newLegacyPartner(service);
      await service.operator('PATCH', `/operator/affiliates/${affiliateId}`, { status });
      expect(verdict(await post('/get_info'))).toEqual({ status: 403, detail: `Affiliate account is ${status}` });
    });
  });

  describe('POST /refresh_token', () => {
    it('buys the next pair once; a second use is 401 and revokes the family', async () => {
      const { accessToken, refreshToken } = await issueToken(service, partner.affiliateId);
      const next = await refresh(refreshToken);
      expect(next.status).toBe(200);
      const info = async (access_token: unknown) => (await partner.post('/get_info', { access_token })).status;
      expect([await info(accessToken), await info(next.body.access_token)]).toEqual([200, 200]);
      expect((await refresh(refreshToken)).status).toBe(401);
      // On the others within a second.
      for (const token of [accessToken, next.body.access_token])
        expect(
          await eventually(
            () => info(token),
            (status) => status === 401,
          ),
        ).toBe(401);
      expect((await refresh(next.body.refresh_token)).status).toBe(401);
    });

    it('used 24 times at once buys one pair', async () => {
      const { refreshToken } = await issueToken(service, partner.affiliateId);
      const answers = await Promise.all(Array.from({ length: 24 }, () => refresh(refreshToken)));
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.filter((status) => status === 401)).toHaveLength(23);
    });

    it.each([undefined, null, 5, '', 'nobody'])('answers 401 to what is no refresh token: %j', async (token) => {
      expect((await refresh(token)).status).toBe(401);
    });
  });

  describe('whatever is sent', () => {
    const routes = [
      'create_transaction',
      'check_transaction',
      'cancel_transaction',
      'cryptos',
      'get_info',
      'refresh_token',
    ];
    const values = ['x', '\u0000', '\ud800', 'ü'.repeat(300), 0, -1, 1.5, 1e308, 2 ** 53, true, null, [], {}, [[]]];
    const names = ['email', 'amount', 'crypto_selected', 'label', 'transaction_id', 'access_token', 'refresh_token'];

    it.each(routes)('is no failure of the service: /%s', async (route) => {
      const { accessToken } = await issueToken(service, partner.affiliateId);
      const good = { ...partner.order({ crypto_selected: 'LTC' }), transaction_id: 1, access_token: accessToken };
      const bodies = names.flatMap((name) => values.map((value) => ({ ...good, [name]: value })));
      const answers = await Promise.all(bodies.map((json) => service.call('POST', `/${route}`, { json })));
      expect(answers.filter(({ status }) => ![200, 400, 401, 404, 409].includes(status))).toEqual([]);
    });

    it.each(['cryptos', 'crypto_prices'])('is no failure of the service as a GET: /%s', async (route) => {
      for (const text of ['', '{', 'null', '[]', '"x"', '{"access_token":'])
        expect((await getWithBody(service.access().url, `/${route}`, text)).status).toBeLessThan(500);
    });
  });
};
