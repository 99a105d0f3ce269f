import { describe, expect, it } from '@jest/globals';
import {
  type Body,
  newCasino,
  type Service,
  unique,
  uniquePhone,
  verdict,
  withoutCurrency,
  withoutKyc,
  withoutPool,
  withRate,
} from '../harness/index.ts';

const noKyc = { status: 503, detail: 'Identity verification service unavailable' };
const noInstant = {
  status: 403,
  detail: 'Entity is not enabled for instant (pre-KYT) deposits, requiring both instant_allowed and no_conf_allowed',
};
const noNoConf = { status: 403, detail: 'Entity is not enabled for no-conf deposits (entity.no_conf_allowed)' };
const noRate = { status: 502, detail: 'Unable to fetch LTC rate' };
const noFees = { status: 500, detail: 'Entity fee schedule is not configured for this entity; contact the operator' };
const badFees = { status: 500, detail: 'Entity fee configuration is invalid; contact the operator' };
const off = { status: 400, detail: 'LTC is not enabled' };
const offHere = { status: 400, detail: 'LTC is not enabled for this affiliate' };

const neverFast = { no_conf_allowed: false, instant_allowed: false };
const wrongFees = [{ beneficiary: 'BF', kind: 'FEE', paid_by: 'PLAYER', percent: 1 }];

export const createOrder = (service: Service): void => {
  /** What create answers a verified player of such a casino. */
  const answerTo = async (setup: { affiliate?: Body; entity?: Body }, fields: Body) => {
    const casino = await newCasino(service, setup);
    const answer = verdict(await casino.create(casino.order(await casino.player(), { currency: 'LTC', ...fields })));
    if (answer.status !== 'ok') expect((await casino.deposits()).total).toBe(0);
    return answer;
  };

  describe('create is refused, and makes nothing', () => {
    it('while players cannot be checked', () =>
      withoutKyc(service, async () => expect(await answerTo({}, {})).toEqual(noKyc)));

    it('for a fast deposit, where the casino may not', async () => {
      expect(await answerTo({ entity: neverFast }, { instant: true })).toEqual(noInstant);
      expect(await answerTo({ entity: neverFast }, { no_conf: true })).toEqual(noNoConf);
      expect(await answerTo({ entity: { ...neverFast, instant_allowed: true } }, { instant: true })).toEqual(noInstant);
      expect(await answerTo({ entity: { ...neverFast, no_conf_allowed: true } }, { instant: true })).toEqual(noInstant);
      expect(await answerTo({ entity: neverFast }, { instant: false, no_conf: false })).toMatchObject({ status: 'ok' });
      const noConfOnly = { entity: { ...neverFast, no_conf_allowed: true } };
      expect(await answerTo(noConfOnly, { no_conf: true })).toMatchObject({ status: 'ok' });
    });

    it('for a currency that is switched off for everyone', () =>
      withoutCurrency(service, 'LTC', async () => expect(await answerTo({}, {})).toEqual(off)));

    it('for a currency that the affiliate has not', async () => {
      expect(await answerTo({ affiliate: { currencies: ['BTC', 'ETH'] } }, {})).toEqual(offHere);
    });

    it('without a rate', () =>
      withRate(service, 'LTC', null, async () => expect(await answerTo({}, {})).toEqual(noRate)));

    it('with a rate that is pinned no more, and no provider', async () => {
      const casino = await newCasino(service);
      const player = await casino.player();
      await withRate(service, 'LTC', '100', async () => {
        await service.operator('DELETE', '/operator/rates/LTC');
        expect(verdict(await casino.create(casino.order(player, { currency: 'LTC' })))).toEqual(noRate);
      });
    });

    it('without fees that are configured', async () => {
      expect(await answerTo({ entity: { fees: null } }, {})).toEqual(noFees);
      expect(await answerTo({ entity: { fees: [] } }, {})).toMatchObject({ status: 'ok', charges: [] });
    });

    it.each([
      ['a percent below 0', [{ beneficiary: 'BF', kind: 'FEE', paid_by: 'PLAYER', percent: -0.01 }]],
      ['a percent not below 1', wrongFees],
      [
        'spreads that sum to 1',
        [
          { beneficiary: 'BF', kind: 'SPREAD', paid_by: 'PLAYER', percent: 0.5 },
          { beneficiary: 'ENTITY', kind: 'SPREAD', paid_by: 'PLAYER', percent: 0.5 },
        ],
      ],
      ['a spread that the casino pays', [{ beneficiary: 'BF', kind: 'SPREAD', paid_by: 'ENTITY', percent: 0.01 }]],
      ['an unknown beneficiary', [{ beneficiary: 'BANK', kind: 'FEE', paid_by: 'PLAYER', percent: 0.01 }]],
      ['an unknown kind', [{ beneficiary: 'BF', kind: 'TIP', paid_by: 'PLAYER', percent: 0.01 }]],
      ['an unknown payer', [{ beneficiary: 'BF', kind: 'FEE', paid_by: 'HOUSE', percent: 0.01 }]],
    ])('with fees that are invalid: %s', async (_, fees) => {
      expect(await answerTo({ entity: { fees } }, {})).toEqual(badFees);
    });
  });

  describe('create checks in the order of its table', () => {
    it('the status of the casino, before the players can be checked', () =>
      withoutKyc(service, async () => {
        const casino = await newCasino(service, { entity: { status: 'disabled' } });
        const answer = await casino.create(casino.order({ gambler_ref: 'a', phone: '+1555' }));
        expect(verdict(answer)).toEqual({
          status: 403,
          detail: "Entity status is 'disabled', must be 'active' or 'enabled'",
        });
      }));

    it('the check of players, before instant', () =>
      withoutKyc(service, async () => expect(await answerTo({ entity: neverFast }, { instant: true })).toEqual(noKyc)));

    it('instant, before no-conf', async () => {
      expect(await answerTo({ entity: neverFast }, { instant: true, no_conf: true })).toEqual(noInstant);
    });

    it('no-conf, before the currency', () =>
      withoutCurrency(service, 'LTC', async () =>
        expect(await answerTo({ entity: neverFast }, { no_conf: true })).toEqual(noNoConf),
      ));

    it('the currency for everyone, before that for the affiliate', () =>
      withoutCurrency(service, 'LTC', async () =>
        expect(await answerTo({ affiliate: { currencies: ['BTC'] } }, {})).toEqual(off),
      ));

    it('the currency for the affiliate, before the rate', () =>
      withRate(service, 'LTC', null, async () =>
        expect(await answerTo({ affiliate: { currencies: ['BTC'] } }, {})).toEqual(offHere),
      ));

    it('the rate, before the fees', () =>
      withRate(service, 'LTC', null, async () => {
        expect(await answerTo({ entity: { fees: null } }, {})).toEqual(noRate);
        expect(await answerTo({ entity: { fees: wrongFees } }, {})).toEqual(noRate);
      }));

    it('the fees, before the cap of instant', async () => {
      expect(await answerTo({ entity: { fees: null } }, { instant: true, amount: 5000 })).toEqual(noFees);
      expect(await answerTo({ entity: { fees: wrongFees } }, { instant: true, amount: 5000 })).toEqual(badFees);
    });

    it('the cap of instant, before the deposit in flight', async () => {
      const casino = await newCasino(service);
      const player = await casino.player();
      await casino.deposit({ instant: true }, player);
      const answer = await casino.create(casino.order(player, { instant: true, amount: 5000 }));
      expect(verdict(answer)).toMatchObject({ status: 400, code: 'instant_over_cap' });
    });

    it('the deposit in flight, before the address', async () => {
      const casino = await newCasino(service);
      const player = await casino.player();
      await casino.deposit({ no_conf: true }, player);
      await withoutPool(service, 'BTC', async () => {
        const answer = await casino.create(casino.order(player, { no_conf: true }));
        expect(verdict(answer)).toMatchObject({ status: 409, code: 'fast_deposit_unconfirmed' });
      });
    });

    it.each([
      ['instant that the casino may not', { entity: neverFast }, { instant: true }],
      ['no-conf that the casino may not', { entity: neverFast }, { no_conf: true }],
      ['a currency that the affiliate has not', { affiliate: { currencies: ['BTC'] } }, {}],
      ['fees that are not configured', { entity: { fees: null } }, {}],
      ['an amount over the cap', {}, { instant: true, amount: 5000 }],
    ])('an unverified player, before %s', async (_, setup, fields) => {
      const casino = await newCasino(service, setup);
      const stranger = { gambler_ref: unique('stranger'), phone: uniquePhone() };
      const answer = await casino.create(casino.order(stranger, { currency: 'LTC', ...fields }));
      expect(verdict(answer)).toMatchObject({ status: 'kyc_required' });
      expect((await casino.deposits()).total).toBe(0);
    });
  });
};
