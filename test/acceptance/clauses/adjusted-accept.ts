import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  as,
  type Casino,
  type Charge,
  type Deposit,
  type Money,
  newCasino,
  type Service,
  verdict,
  withRate,
} from '../harness/index.ts';
import { chargeOf, everyFee } from './quote.ts';

const amountOf = (charges: readonly Charge[], ...of: [string, string, string]) => {
  const { amount_usd, amount_crypto } = chargeOf(charges, ...of) ?? {};
  return [amount_usd, amount_crypto];
};

export const adjustedAccept = (service: Service): void => {
  let casino: Casino;
  beforeAll(async () => {
    casino = await newCasino(service, { entity: { fees: everyFee } });
  });

  const settled = async (amount: string, fields = {}) => (await casino.deposit(fields)).settle({ amount });

  /** What 0.00414 BTC buy at 49000: 202.86 USD paid, 196 of them the player's. */
  const repriced = {
    crypto_amount: 0.00414,
    usd_amount: 202.86,
    player_amount: 196,
    // 196 + 0.98 + 1.242 - 2.94 - 0.49
    entity_net_usd: 194.792,
    affiliate_net_usd: 194.792,
    crypto_rate: '49000',
    fee: 0.035,
    fee_usd: 6.86,
    bf_fee_usd: 6.86,
    bf_spread_usd: 2.07,
    // 1.96 + 0.49 + 0.828
    affiliate_fee_usd: 3.278,
  };

  describe('an adjusted accept', () => {
    it('re-prices an ordinary deposit from the crypto that came, at the rate of the quote', () =>
      withRate(service, 'BTC', '50000', async () => {
        const deposit = await settled('0.00414');
        await service.operator('PUT', '/operator/rates/BTC', { usd: '77777' });
        const answer = await deposit.acceptAdjusted();
        expect(verdict(answer)).toMatchObject({
          status: 200,
          decision: 'accepted',
          adjusted: true,
          confirmed_crypto: 0.00414,
          ...repriced,
        });
        const { charges } = as<Money>(answer.body);
        expect(amountOf(charges, 'BF', 'SPREAD', 'PLAYER')).toEqual([2.07, 0.0000414]);
        expect(amountOf(charges, 'AFFILIATE', 'SPREAD', 'PLAYER')).toEqual([0.828, 0.00001656]);
        expect(amountOf(charges, 'ENTITY', 'SPREAD', 'PLAYER')).toEqual([1.242, 0.00002484]);
        expect(amountOf(charges, 'BF', 'FEE', 'PLAYER')).toEqual([3.92, 0.00008]);
        expect(amountOf(charges, 'BF', 'FEE', 'ENTITY')).toEqual([2.94, 0.00006]);
        expect(await deposit.read()).toMatchObject({
          ...Object.fromEntries(
            Object.entries(repriced).map(([key, value]) => [
              key,
              typeof value === 'number' ? expect.closeTo(value, 9) : value,
            ]),
          ),
          market_rate: '50000',
          decision: 'accepted',
          charges: expect.arrayContaining(
            charges.map((charge) => expect.objectContaining({ percent: charge.percent })),
          ),
        });
      }));

    it('keeps the percents of the quote, whatever the casino is configured with since', async () => {
      const own = await newCasino(service, { entity: { fees: everyFee } });
      const deposit = await (await own.deposit()).settle({ amount: '0.00414' });
      await service.operator('PATCH', `/operator/entities/${own.entityId}`, { fees: null });
      expect((await deposit.acceptAdjusted()).body).toMatchObject(repriced);
    });

    it('of an underpaid deposit credits what came', async () => {
      const plain = await (await (await newCasino(service)).deposit()).settle({ amount: '0.00000001' });
      expect((await plain.acceptAdjusted()).body).toMatchObject({
        adjusted: true,
        crypto_amount: 1e-8,
        usd_amount: 0.0005,
        player_amount: 0.0005,
      });
    });

    it('with the amount of the quote changes nothing, and adjusted is false', async () => {
      const deposit = await casino.deposit();
      await deposit.settle();
      const { usd_amount, player_amount, crypto_amount, entity_net_usd } = deposit.quote;
      const { body } = await deposit.acceptAdjusted();
      expect(body).toMatchObject({ adjusted: false, crypto_amount, crypto_rate: '49000' });
      const { usd_amount: usd, player_amount: player, entity_net_usd: net } = as<Deposit>(body);
      expect(usd).toBeCloseTo(usd_amount, 9);
      expect(player).toBeCloseTo(player_amount, 9);
      expect(net).toBeCloseTo(entity_net_usd, 9);
    });

    it('cuts ETH at 8 decimals', async () => {
      const eth = await newCasino(service);
      const deposit = await (await eth.deposit({ currency: 'ETH', amount: 200 })).settle({
        amount: '0.123456789999999999',
      });
      expect((await deposit.acceptAdjusted()).body).toMatchObject({
        adjusted: true,
        crypto_amount: 0.12345678,
        // x 2000
        usd_amount: 246.91356,
        player_amount: 246.91356,
      });
    });

    it('needs no flag where ETH differs past the eighth decimal', async () => {
      const eth = await newCasino(service);
      const deposit = await (await eth.deposit({ currency: 'ETH', amount: 200 })).settle({
        amount: '0.100000000000000001',
      });
      expect(verdict(await deposit.accept())).toMatchObject({ status: 200, adjusted: false, crypto_amount: 0.1 });
    });

    it('of dust is the amount mismatch', async () => {
      const eth = await newCasino(service);
      const deposit = await (await eth.deposit({ currency: 'ETH' })).settle({ amount: '0.000000001' });
      expect(verdict(await deposit.acceptAdjusted())).toEqual({
        status: 400,
        detail: expect.stringMatching(/^Amount mismatch/),
      });
    });

    it('of more units than a double counts is 500, and decides nothing', async () => {
      const own = await newCasino(service);
      const deposit = await (await own.deposit()).settle({ amount: '90071992.54740992' });
      expect(verdict(await deposit.acceptAdjusted())).toEqual({ status: 500, detail: expect.stringMatching(/./) });
      expect(await deposit.read()).toMatchObject({ decision: 'pending' });
      const most = await (await own.deposit()).settle({ amount: '90071992.54740991' });
      expect(verdict(await most.acceptAdjusted())).toMatchObject({ status: 200, crypto_amount: 90071992.54740991 });
    });
  });

  describe('a late payment', () => {
    const late = async (amount?: string, fields = {}) => {
      const deposit = await casino.deposit(fields);
      await deposit.settle({ minute: 31, ...(amount === undefined ? {} : { amount }) });
      return deposit;
    };

    it('is told by late_payment, which an ordinary deposit has not', async () => {
      expect(await (await late()).read()).toMatchObject({ late_payment: true, acceptable: true });
      expect(Object.keys(await (await casino.deposit()).read())).not.toContain('late_payment');
    });

    it('needs the flag, even where the amounts match', async () => {
      const deposit = await late();
      expect(verdict(await deposit.accept())).toEqual({
        status: 400,
        code: 'late_payment_requires_current_rate',
        detail: expect.stringMatching(/./),
      });
      expect(await deposit.read()).toMatchObject({ decision: 'pending' });
    });

    it('is priced at the current rate, which market_rate then is', () =>
      withRate(service, 'BTC', '50000', async () => {
        const deposit = await late('0.00414');
        await service.operator('PUT', '/operator/rates/BTC', { usd: '100000' });
        expect((await deposit.read()).market_rate).toBe('50000');
        const twice = {
          crypto_amount: 0.00414,
          usd_amount: 405.72,
          player_amount: 392,
          entity_net_usd: 389.584,
          crypto_rate: '98000',
          bf_spread_usd: 4.14,
        };
        expect(verdict(await deposit.acceptAdjusted())).toMatchObject({ status: 200, adjusted: true, ...twice });
        const stored = await deposit.read();
        expect(stored).toMatchObject({ crypto_rate: '98000', market_rate: '100000', late_payment: true });
        expect(stored.player_amount).toBeCloseTo(392, 9);
      }));

    it('is adjusted even where the amounts match', async () => {
      const deposit = await late();
      expect(verdict(await deposit.acceptAdjusted())).toMatchObject({
        status: 200,
        adjusted: true,
        crypto_amount: deposit.quote.crypto_amount,
      });
    });

    it('is accepted at no older rate than the current one', () =>
      withRate(service, 'BTC', null, async () => {
        await service.operator('PUT', '/operator/rates/BTC', { usd: '50000' });
        const deposit = await late();
        await service.operator('PUT', '/operator/rates/BTC', { usd: null });
        expect(verdict(await deposit.acceptAdjusted())).toEqual({
          status: 502,
          code: 'late_payment_rate_unavailable',
          detail: 'Unable to fetch BTC rate',
        });
        expect(await deposit.read()).toMatchObject({ decision: 'pending' });
        await service.operator('PUT', '/operator/rates/BTC', { usd: '50000' });
        expect(verdict(await deposit.acceptAdjusted())).toMatchObject({ status: 200 });
      }));

    it('without a usable amount is refused', async () => {
      const deposit = await late('0.000000001', { currency: 'ETH' });
      expect(verdict(await deposit.acceptAdjusted())).toEqual({
        status: 409,
        code: 'late_payment_no_received_amount',
        detail: expect.stringMatching(/./),
      });
    });

    it('of more units than a double counts is refused, up to that it is not', async () => {
      const above = await late('90071992.54740992');
      expect(verdict(await above.acceptAdjusted())).toEqual({
        status: 409,
        code: 'late_payment_received_precision',
        detail: expect.stringMatching(/./),
      });
      const most = await late('90071992.54740991');
      expect(verdict(await most.acceptAdjusted())).toMatchObject({ status: 200, crypto_amount: 90071992.54740991 });
    });

    it('is returned like any other', async () => {
      const deposit = await late();
      expect(verdict(await deposit.return())).toMatchObject({ status: 200, decision: 'returned' });
    });
  });
};
