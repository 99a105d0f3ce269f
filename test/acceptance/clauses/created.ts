import { describe, expect, it } from '@jest/globals';
import { type Currency, newCasino, type Service } from '../harness/index.ts';

const mainnet: Record<Currency, RegExp> = {
  BTC: /^(bc1[0-9a-z]{11,87}|[13][1-9A-HJ-NP-Za-km-z]{25,34})$/,
  LTC: /^(ltc1[0-9a-z]{11,87}|[LM3][1-9A-HJ-NP-Za-km-z]{25,34})$/,
  ETH: /^0x[0-9a-fA-F]{40}$/,
};

const okKeys = [
  'address',
  'affiliate_fee_usd',
  'affiliate_net_usd',
  'bf_fee_usd',
  'bf_spread_usd',
  'charges',
  'crypto_amount',
  'crypto_rate',
  'currency',
  'deposit_id',
  'entity_net_usd',
  'expires_at',
  'fee',
  'fee_usd',
  'gambler_ref',
  'market_rate',
  'player_amount',
  'status',
  'transaction_id',
  'usd_amount',
];

const numbers = okKeys.filter(
  (key) => !['address', 'charges', 'currency', 'expires_at', 'gambler_ref', 'status'].includes(key),
);

const halfHour = 30 * 60_000;

export const created = (service: Service): void => {
  describe('the answer of create', () => {
    it('has exactly the keys of the interface, each of its type', async () => {
      const { quote } = await (await newCasino(service)).deposit();
      expect(Object.keys(quote).sort()).toEqual(okKeys);
      const types = Object.fromEntries(Object.entries(quote).map(([key, value]) => [key, typeof value]));
      expect(types).toMatchObject({
        ...Object.fromEntries(numbers.map((key) => [key, 'number'])),
        address: 'string',
        expires_at: 'string',
      });
    });

    it('echoes the player and the currency, with integers for ids', async () => {
      const casino = await newCasino(service);
      const player = await casino.player();
      const { quote } = await casino.deposit({ currency: 'LTC' }, player);
      expect(quote).toMatchObject({ status: 'ok', gambler_ref: player.gambler_ref, currency: 'LTC' });
      expect([quote.deposit_id, quote.transaction_id].every((id) => Number.isSafeInteger(id) && id > 0)).toBe(true);
    });

    it('shows each charge with the fields of the interface', async () => {
      const fees = [{ beneficiary: 'BF', kind: 'FEE', paid_by: 'PLAYER', percent: 0.02 }];
      const { quote } = await (await newCasino(service, { entity: { fees } })).deposit();
      expect(quote.charges).toEqual([{ ...fees[0], amount_usd: 2, amount_crypto: 0.00004 }]);
    });

    it.each(Object.entries(mainnet))(
      'names a %s address of the main net, a new one for each deposit',
      async (currency, form) => {
        const casino = await newCasino(service);
        const deposits = await Promise.all([1, 2, 3, 4].map(() => casino.deposit({ currency })));
        const addresses = deposits.map(({ quote }) => quote.address);
        for (const address of addresses) expect(address).toMatch(form);
        expect(new Set(addresses).size).toBe(4);
      },
    );

    it('gives each deposit and each payment an id of its own', async () => {
      const casino = await newCasino(service);
      const quotes = (await Promise.all([1, 2, 3].map(() => casino.deposit()))).map(({ quote }) => quote);
      expect(new Set(quotes.map(({ deposit_id }) => deposit_id)).size).toBe(3);
      expect(new Set(quotes.map(({ transaction_id }) => transaction_id)).size).toBe(3);
    });

    it('expires 30 minutes after the creation', async () => {
      const before = Date.now();
      const deposit = await (await newCasino(service)).deposit();
      const after = Date.now();
      const { created_at, expires_at } = await deposit.read();
      expect(deposit.quote.expires_at).toBe(expires_at);
      expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(halfHour);
      expect(Date.parse(created_at)).toBeGreaterThanOrEqual(before - 1_000);
      expect(Date.parse(created_at)).toBeLessThanOrEqual(after + 1_000);
    });

    it('of a standard deposit never waits for another of the same player', async () => {
      const casino = await newCasino(service);
      const player = await casino.player();
      const [one, two] = [await casino.deposit({}, player), await casino.deposit({}, player)];
      expect(one.id).not.toBe(two.id);
      expect((await casino.deposits()).total).toBe(2);
    });
  });

  describe('a test casino or key', () => {
    it('changes nothing that a partner sees', async () => {
      for (const setup of [{ entity: { mode: 'test' } }, { key: { mode: 'test' } }]) {
        const casino = await newCasino(service, setup);
        const deposit = await (await casino.deposit()).settle();
        const { text } = await casino.call('GET', `/casino/deposit/${deposit.id}`);
        expect(text).not.toContain('"test"');
        expect((await deposit.accept()).body).toMatchObject({ decision: 'accepted' });
      }
    });
  });
};
