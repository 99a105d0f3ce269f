import { describe, expect, it } from '@jest/globals';
import {
  type Body,
  newCasino,
  type Service,
  unique,
  uniquePhone,
  verdict,
  withoutCurrency,
  withRate,
} from '../harness/index.ts';

export const operatorMarket = (service: Service): void => {
  const put = async (path: string, json: Body) => (await service.operator('PUT', path, json)).status;

  describe('rates, currencies and players', () => {
    it('a pinned rate prices the next quote', () =>
      withRate(service, 'LTC', '123.456', async () => {
        const { quote } = await (await newCasino(service)).deposit({ currency: 'LTC' });
        expect(quote.market_rate).toBe(123.456);
      }));

    it('an open quote keeps its rate', () =>
      withRate(service, 'LTC', '100', async () => {
        const deposit = await (await newCasino(service)).deposit({ currency: 'LTC' });
        await service.operator('PUT', '/operator/rates/LTC', { usd: '200' });
        expect(await deposit.read()).toMatchObject({ market_rate: '100', crypto_amount: 1 });
        await deposit.settle();
        expect((await deposit.accept()).body).toMatchObject({ player_amount: 100, crypto_rate: '100' });
      }));

    it('a currency is off for everyone, and on again at once', async () => {
      const casino = await newCasino(service);
      const player = await casino.player();
      const ask = async () => verdict(await casino.create(casino.order(player, { currency: 'LTC' })));
      await withoutCurrency(service, 'LTC', async () => {
        expect(await ask()).toEqual({ status: 400, detail: 'LTC is not enabled' });
      });
      expect(await ask()).toMatchObject({ status: 'ok' });
    });

    it('a currency that is off is listed and decided all the same', async () => {
      const casino = await newCasino(service);
      const deposit = await (await casino.deposit({ currency: 'LTC' })).settle();
      await withoutCurrency(service, 'LTC', async () => {
        expect(await casino.deposits('&currency=LTC')).toMatchObject({ total: 1 });
        expect((await deposit.accept()).status).toBe(200);
      });
    });

    it.each<[string, Body]>([
      ['/operator/rates/BTC', {}],
      ['/operator/rates/BTC', { usd: 50000 }],
      ['/operator/rates/BTC', { usd: 'much' }],
      ['/operator/rates/BTC', { usd: '-1' }],
      ['/operator/rates/BTC', { usd: '0' }],
      ['/operator/rates/DOGE', { usd: '1' }],
      ['/operator/currencies/BTC', {}],
      ['/operator/currencies/BTC', { enabled: 'true' }],
      ['/operator/currencies/DOGE', { enabled: true }],
      ['/operator/address-pool/BTC', { available: 'no' }],
      ['/operator/address-pool/DOGE', { available: true }],
      ['/operator/kyc-service', {}],
      ['/operator/kyc-service', { available: 1 }],
      ['/operator/players', { gambler_ref: 'x', kyc: 'verified' }],
    ])('a change that makes no sense is refused: %s %j', async (path, json) => {
      const status = await put(path, json);
      expect([path, json, status >= 400 && status < 500]).toEqual([path, json, true]);
    });

    it('a player of no known state is refused', async () => {
      const { entityId } = await newCasino(service);
      const player = { entity_id: entityId, gambler_ref: unique('player'), phone: uniquePhone(), kyc: 'perhaps' };
      expect(await put('/operator/players', player)).toBe(400);
    });

    it('a player of a casino that is not there is refused', async () => {
      const player = { entity_id: 999_999_999, gambler_ref: unique('player'), phone: uniquePhone(), kyc: 'verified' };
      const status = await put('/operator/players', player);
      expect(status >= 400 && status < 500).toBe(true);
    });
  });
};
