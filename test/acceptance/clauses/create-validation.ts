import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Body,
  type Casino,
  issuesOf,
  newCasino,
  refusedEchoes,
  type Service,
  unique,
  uniquePhone,
  validation,
  verdict,
} from '../harness/index.ts';

/** Each breaks the schema at one field. */
const broken: readonly (readonly [string, Body])[] = [
  ['entity_id', { entity_id: undefined }],
  ['entity_id', { entity_id: '1' }],
  ['entity_id', { entity_id: 1.5 }],
  ['entity_id', { entity_id: null }],
  ['currency', { currency: undefined }],
  ['currency', { currency: 'btc' }],
  ['currency', { currency: 'DOGE' }],
  ['currency', { currency: '' }],
  ['currency', { currency: 1 }],
  ['currency', { currency: null }],
  ['gambler_ref', { gambler_ref: undefined }],
  ['gambler_ref', { gambler_ref: '' }],
  ['gambler_ref', { gambler_ref: 'g'.repeat(256) }],
  ['gambler_ref', { gambler_ref: 7 }],
  ['gambler_ref', { gambler_ref: null }],
  ['phone', { phone: undefined }],
  ['phone', { phone: '' }],
  ['phone', { phone: '1'.repeat(33) }],
  ['phone', { phone: 15550001111 }],
  ['phone', { phone: null }],
  ['email', { email: 'not an address' }],
  ['email', { email: '' }],
  ['email', { email: 1 }],
  ['amount', { amount: undefined }],
  ['amount', { amount: 0 }],
  ['amount', { amount: -1 }],
  ['amount', { amount: '100' }],
  ['amount', { amount: null }],
  ['amount', { amount: [100] }],
  ['amount', { amount: 0.000000004, amount_is_crypto: true }],
  ['amount_is_crypto', { amount_is_crypto: 'true' }],
  ['amount_is_crypto', { amount_is_crypto: 1 }],
  ['no_conf', { no_conf: 'false' }],
  ['no_conf', { no_conf: 0 }],
  ['instant', { instant: 'true' }],
  ['instant', { instant: 1 }],
  ['email', { email: '"player\nBcc: all"@mail.example' }],
  ['email', { email: 'player@mail.example\r\nBcc: all@mail.example' }],
  ...refusedEchoes,
];

export const createValidation = (service: Service): void => {
  describe('the body of create', () => {
    let casino: Casino;
    beforeAll(async () => {
      casino = await newCasino(service);
    });

    it.each(broken)('breaks the schema at %s: %j', async (field, fields) => {
      const answer = await casino.create(casino.order({ gambler_ref: 'someone', phone: '+1555' }, fields));
      expect(verdict(answer)).toEqual(validation);
      expect(issuesOf(answer)).toEqual(
        [{ path: [field], message: expect.stringMatching(/./) }].map(expect.objectContaining),
      );
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    });

    it('is told all that is wrong at once', async () => {
      const answer = await casino.create({ amount: 'much', no_conf: 1 });
      const fields = issuesOf(answer).map(({ path }) => path[0]);
      expect(new Set(fields)).toEqual(new Set(['entity_id', 'currency', 'gambler_ref', 'phone', 'amount', 'no_conf']));
    });

    it.each(['USDT', 'USDC'])('names %s, which no deposit can be made in', async (currency) => {
      const answer = await casino.create(casino.order(await casino.player(), { currency }));
      expect(answer.status).toBe(400);
    });

    it('may use every limit to the full', async () => {
      const player = await casino.player({
        gambler_ref: unique('g').padEnd(255, 'g'),
        phone: uniquePhone().padEnd(32, '0'),
      });
      const { quote, read } = await casino.deposit({ machine_id: 'm'.repeat(64) }, player);
      expect(quote.gambler_ref).toBe(player.gambler_ref);
      expect(await read()).toMatchObject({ gambler_ref: player.gambler_ref, machine_id: 'm'.repeat(64) });
    });

    it('may hold characters of any alphabet, as they are', async () => {
      const player = await casino.player({ gambler_ref: unique('Игрок № 7 🎰 "\'\\') });
      const { read } = await casino.deposit({ machine_id: 'автомат-7' }, player);
      expect(await read()).toMatchObject({ gambler_ref: player.gambler_ref, machine_id: 'автомат-7' });
    });

    it('may name an email, or null', async () => {
      expect(await casino.deposit({ email: 'player@example.com' })).toMatchObject({ quote: { status: 'ok' } });
      expect(await casino.deposit({ email: null })).toMatchObject({ quote: { status: 'ok' } });
    });

    it('may have fields that nobody knows, which are ignored', async () => {
      expect(await casino.deposit({ colour: 'red', deposit_id: 7, fees: [] })).toMatchObject({
        quote: { usd_amount: 100 },
      });
    });

    it('may name the discarded fields, of any type, which never move the price', async () => {
      const { quote } = await casino.deposit({ player_amount: 1, affiliate_fee: '9', total_amount: { of: 'all' } });
      expect(quote).toMatchObject({ player_amount: 100, usd_amount: 100, charges: [] });
    });

    it('is judged before the lock of the key, the casino, and the player', async () => {
      const answer = await casino.create({
        entity_id: 999_999_999,
        currency: 'BTC',
        gambler_ref: 'a',
        phone: '1',
        amount: 0,
      });
      expect(verdict(answer)).toEqual(validation);
    });

    it('is judged before an amount that rounds to zero meets the casino', async () => {
      const dust = { amount: 0.000000001, amount_is_crypto: true, entity_id: 999_999_999 };
      expect(verdict(await casino.create(casino.order({ gambler_ref: 'a', phone: '1' }, dust)))).toEqual(validation);
    });
  });
};
