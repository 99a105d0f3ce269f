import { describe, expect, it } from '@jest/globals';
import { type Body, type Charge, type Fee, newCasino, type Quote, type Service, withRate } from '../harness/index.ts';

/** Every kind of charge at once. */
export const everyFee: readonly Fee[] = [
  { beneficiary: 'BF', kind: 'SPREAD', paid_by: 'PLAYER', percent: 0.01 },
  { beneficiary: 'AFFILIATE', kind: 'SPREAD', paid_by: 'PLAYER', percent: 0.004 },
  { beneficiary: 'ENTITY', kind: 'SPREAD', paid_by: 'PLAYER', percent: 0.006 },
  { beneficiary: 'BF', kind: 'FEE', paid_by: 'PLAYER', percent: 0.02 },
  { beneficiary: 'AFFILIATE', kind: 'FEE', paid_by: 'PLAYER', percent: 0.01 },
  { beneficiary: 'ENTITY', kind: 'FEE', paid_by: 'PLAYER', percent: 0.005 },
  { beneficiary: 'BF', kind: 'FEE', paid_by: 'ENTITY', percent: 0.015 },
  { beneficiary: 'AFFILIATE', kind: 'FEE', paid_by: 'ENTITY', percent: 0.0025 },
];

export const chargeOf = (charges: readonly Charge[], beneficiary: string, kind: string, paidBy: string) =>
  charges.find((charge) => charge.beneficiary === beneficiary && charge.kind === kind && charge.paid_by === paidBy);

/** The double nearest to a decimal that no literal can hold. */
const double = (digits: string): number => Number(digits);

const amountsOf = (charges: readonly Charge[], ...of: [string, string, string]) => {
  const { amount_usd, amount_crypto } = chargeOf(charges, ...of) ?? {};
  return [amount_usd, amount_crypto];
};

export const quote = (service: Service): void => {
  const quoted = async (fees: readonly Fee[], fields: Body): Promise<Quote> =>
    (await (await newCasino(service, { entity: { fees } })).deposit(fields)).quote;

  describe('a quote in USD mode', () => {
    it('without fees is the amount at the market rate', async () => {
      expect(await quoted([], { amount: 100 })).toMatchObject({
        crypto_amount: 0.002,
        usd_amount: 100,
        player_amount: 100,
        entity_net_usd: 100,
        crypto_rate: 50000,
        market_rate: 50000,
        charges: [],
        fee: 0,
        fee_usd: 0,
        bf_fee_usd: 0,
        bf_spread_usd: 0,
        affiliate_fee_usd: 0,
      });
    });

    it('adds the fees of the player, lowers the rate by the spreads, and rounds the crypto up', async () => {
      // 100 x 1.035 = 103.5; 50000 x 0.98 = 49000; 103.5 / 49000 = 0.00211224489...
      expect(await quoted(everyFee, { amount: 100 })).toMatchObject({
        player_amount: 100,
        usd_amount: 103.5,
        crypto_rate: 49000,
        market_rate: 50000,
        crypto_amount: 0.00211225,
      });
    });

    it('lists every charge above zero', async () => {
      const { charges } = await quoted([...everyFee, { ...everyFee[3], percent: 0 } as Fee], { amount: 100 });
      expect(charges).toHaveLength(8);
      expect(
        charges.map(({ beneficiary, kind, paid_by, percent }) => ({ beneficiary, kind, paid_by, percent })),
      ).toEqual(expect.arrayContaining([...everyFee]));
    });

    it('takes spreads of the rounded crypto at the market rate', async () => {
      const { charges } = await quoted(everyFee, { amount: 100 });
      // 0.00211225 x 50000 = 105.6125
      expect(amountsOf(charges, 'BF', 'SPREAD', 'PLAYER')).toEqual([1.056125, 0.0000211225]);
      expect(amountsOf(charges, 'AFFILIATE', 'SPREAD', 'PLAYER')).toEqual([0.42245, 0.000008449]);
      expect(amountsOf(charges, 'ENTITY', 'SPREAD', 'PLAYER')).toEqual([0.633675, 0.0000126735]);
    });

    it('takes fees of the player amount, in crypto at the quoted rate', async () => {
      const { charges } = await quoted(everyFee, { amount: 100 });
      // 1 / 49000 = 0.0000204081632653061224489795918...
      expect(amountsOf(charges, 'BF', 'FEE', 'PLAYER')).toEqual([2, double('0.000040816326530612244897959183673469')]);
      expect(amountsOf(charges, 'AFFILIATE', 'FEE', 'PLAYER')).toEqual([
        1,
        double('0.0000204081632653061224489795918367347'),
      ]);
      expect(amountsOf(charges, 'ENTITY', 'FEE', 'PLAYER')).toEqual([
        0.5,
        double('0.0000102040816326530612244897959183673'),
      ]);
      expect(amountsOf(charges, 'BF', 'FEE', 'ENTITY')).toEqual([
        1.5,
        double('0.000030612244897959183673469387755102'),
      ]);
      expect(amountsOf(charges, 'AFFILIATE', 'FEE', 'ENTITY')).toEqual([
        0.25,
        double('0.00000510204081632653061224489795918367'),
      ]);
    });

    it('settles the casino with its own fee and spread, less the fees that it pays', async () => {
      // 100 + 0.5 + 0.633675 - 1.5 - 0.25
      expect(await quoted(everyFee, { amount: 100 })).toMatchObject({
        entity_net_usd: 99.383675,
        affiliate_net_usd: 99.383675,
      });
    });

    it('gives the deprecated views of the charges', async () => {
      expect(await quoted(everyFee, { amount: 100 })).toMatchObject({
        fee: 0.035,
        fee_usd: 3.5,
        bf_fee_usd: 3.5,
        bf_spread_usd: 1.056125,
        // 1 + 0.25 + 0.42245
        affiliate_fee_usd: 1.67245,
      });
    });

    it('a fee of the casino alone changes nothing for the player', async () => {
      const fees = [{ beneficiary: 'BF', kind: 'FEE', paid_by: 'ENTITY', percent: 0.03 }];
      expect(await quoted(fees, { amount: 250 })).toMatchObject({
        usd_amount: 250,
        crypto_amount: 0.005,
        crypto_rate: 50000,
        entity_net_usd: 242.5,
        fee: 0,
        fee_usd: 0,
        bf_fee_usd: 7.5,
      });
    });

    it('is decimal: no binary dust', async () => {
      // In doubles 0.1 x 1.1 is 0.11000000000000001, 50000 x (1 - 0.1 - 0.2) is 35000.00000000001.
      const fees = [
        { beneficiary: 'BF', kind: 'FEE', paid_by: 'PLAYER', percent: 0.1 },
        { beneficiary: 'BF', kind: 'SPREAD', paid_by: 'PLAYER', percent: 0.1 },
        { beneficiary: 'ENTITY', kind: 'SPREAD', paid_by: 'PLAYER', percent: 0.2 },
      ];
      expect(await quoted(fees, { amount: 0.1 })).toMatchObject({
        usd_amount: 0.11,
        crypto_rate: 35000,
        // 0.11 / 35000 = 0.00000314285...
        crypto_amount: 0.00000315,
        // 0.1 + 0.00000315 x 50000 x 0.2
        entity_net_usd: 0.1315,
      });
    });

    it('has no minimum: the smallest amount asks for one unit', async () => {
      expect(await quoted([], { amount: 1e-12 })).toMatchObject({ usd_amount: 1e-12, crypto_amount: 1e-8 });
    });

    it('has no maximum', async () => {
      expect(await quoted([], { amount: 123_456_789_012.34 })).toMatchObject({
        usd_amount: 123_456_789_012.34,
        crypto_amount: 2_469_135.7802468,
      });
    });

    it('divides at a rate with many digits', () =>
      withRate(service, 'ETH', '3217.123456789', async () => {
        // 77.7 / 3217.123456789 = 0.024152011160...
        expect(await quoted([], { amount: 77.7, currency: 'ETH' })).toMatchObject({
          market_rate: 3217.123456789,
          crypto_rate: 3217.123456789,
          crypto_amount: 0.02415202,
        });
      }));

    it('rounds up nothing that is exact', async () => {
      expect(await quoted([], { amount: 0.01, currency: 'LTC' })).toMatchObject({ crypto_amount: 0.0001 });
    });
  });

  describe('a quote in crypto mode', () => {
    const inCrypto = (fees: readonly Fee[], amount: number, currency = 'BTC') =>
      quoted(fees, { amount, currency, amount_is_crypto: true });

    it('without fees is the crypto at the market rate', async () => {
      expect(await inCrypto([], 0.5)).toMatchObject({ crypto_amount: 0.5, usd_amount: 25000, player_amount: 25000 });
    });

    it.each([
      [0.123456784, 0.12345678],
      [0.123456785, 0.12345679],
      [0.123456786, 0.12345679],
      [0.000000005, 0.00000001],
      [0.000000014999, 0.00000001],
    ])('rounds %p half-up to %p', async (amount, rounded) => {
      expect(await inCrypto([], amount)).toMatchObject({ crypto_amount: rounded });
    });

    it('takes the fees out of what is sent', async () => {
      // 0.0207 x 49000 = 1014.3; / 1.035 = 980
      const { charges, ...rest } = await inCrypto(everyFee, 0.0207);
      expect(rest).toMatchObject({
        crypto_amount: 0.0207,
        crypto_rate: 49000,
        usd_amount: 1014.3,
        player_amount: 980,
        // 980 + 4.9 + 6.21 - 14.7 - 2.45
        entity_net_usd: 973.96,
        fee: 0.035,
        fee_usd: 34.3,
        bf_fee_usd: 34.3,
        bf_spread_usd: 10.35,
        // 9.8 + 2.45 + 4.14
        affiliate_fee_usd: 16.39,
      });
      expect(amountsOf(charges, 'BF', 'SPREAD', 'PLAYER')).toEqual([10.35, 0.000207]);
      expect(amountsOf(charges, 'BF', 'FEE', 'PLAYER')).toEqual([19.6, 0.0004]);
      expect(amountsOf(charges, 'ENTITY', 'FEE', 'PLAYER')).toEqual([4.9, 0.0001]);
      expect(amountsOf(charges, 'BF', 'FEE', 'ENTITY')).toEqual([14.7, 0.0003]);
    });

    it('leaves a division that does not end to the last digit of a double', async () => {
      // 1 x 100 / 1.035 = 96.6183574879227053140096618357...
      const fees = [{ beneficiary: 'ENTITY', kind: 'FEE', paid_by: 'PLAYER', percent: 0.035 }];
      const { player_amount, usd_amount, entity_net_usd } = await inCrypto(fees, 1, 'LTC');
      expect(usd_amount).toBe(100);
      expect(player_amount).toBe(double('96.6183574879227053140096618357'));
      // The casino gets its own fee back: player amount x 1.035.
      expect(entity_net_usd).toBe(100);
    });
  });
};
