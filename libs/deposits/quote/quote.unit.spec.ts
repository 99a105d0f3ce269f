import { describe, expect, it } from '@jest/globals';
import type { QuoteIssued } from '../floor/events.ts';
import { expired, issue, minute, money } from '../testing/commands.ts';
import { given, history } from '../testing/given.ts';
import { createdView, depositView } from '../view.ts';
import { aliasesOf } from './aliases.ts';

const fee = (beneficiary: string, kind: string, paidBy: string, percent: string | number) => ({
  beneficiary,
  kind,
  paidBy,
  percent,
});

const fees = [
  fee('BF', 'SPREAD', 'PLAYER', '0.01'),
  fee('AFFILIATE', 'SPREAD', 'PLAYER', '0.02'),
  fee('ENTITY', 'SPREAD', 'PLAYER', '0.01'),
  fee('BF', 'FEE', 'PLAYER', '0.03'),
  fee('AFFILIATE', 'FEE', 'ENTITY', '0.04'),
  fee('ENTITY', 'FEE', 'PLAYER', '0.05'),
  fee('BF', 'FEE', 'ENTITY', '0'),
];

const quoteOf = (changes: Parameters<typeof issue>[0]) => {
  const [issued] = history(issue(changes));
  return (issued as QuoteIssued).data.amounts;
};

describe('the quote, in USD mode', () => {
  const quote = quoteOf({ fees });

  it('crypto_rate = market_rate × (1 − spreads); usd_amount = amount × (1 + player-paid fees)', () => {
    expect(quote).toMatchObject({ cryptoRate: '48', marketRate: '50', usdAmount: '108', playerAmount: '100' });
  });

  it('crypto_amount = usd_amount / crypto_rate, rounded up: never less than the price', () => {
    expect(quote.cryptoAmount).toBe('2.25');
    expect(quoteOf({ marketRate: money('3') }).cryptoAmount).toBe('33.33333334');
    expect(quoteOf({ amount: money('0.000000000001') }).cryptoAmount).toBe('0.00000001');
  });

  it('usd_amount and player_amount do not follow the rounding, spread charges and entity_net_usd do', () => {
    const rounded = quoteOf({ marketRate: money('3'), fees: [fee('ENTITY', 'SPREAD', 'PLAYER', '0.5')] });
    expect(rounded).toMatchObject({ cryptoAmount: '66.66666667', usdAmount: '100', playerAmount: '100' });
    expect(rounded.entityNetUsd).toBe('200.000000005');
  });

  it('charges: a spread of the coins, a fee of the player amount; nothing at zero percent', () => {
    expect(quote.charges.map(({ amountUsd, amountCrypto }) => [amountUsd, amountCrypto.slice(0, 12)])).toEqual([
      ['1.125', '0.0225'],
      ['2.25', '0.045'],
      ['1.125', '0.0225'],
      ['3', '0.0625'],
      ['4', '0.0833333333'],
      ['5', '0.1041666666'],
    ]);
  });

  it('entity_net_usd = player_amount + own player-paid fee + own spread − what the casino pays', () => {
    expect(quote.entityNetUsd).toBe('102.125');
  });

  it('deprecated aliases', () => {
    const aliases = Object.fromEntries(
      Object.entries(aliasesOf(quote)).map(([name, value]) => [name, value.toString()]),
    );
    expect(aliases).toEqual({
      affiliateNetUsd: '102.125',
      fee: '0.08',
      feeUsd: '8',
      bfFeeUsd: '3',
      bfSpreadUsd: '1.125',
      affiliateFeeUsd: '6.25',
    });
    expect(Object.values(aliasesOf(quoteOf({}))).map(String)).toEqual(['100', '0', '0', '0', '0', '0']);
  });
});

describe('the quote, in crypto mode', () => {
  const cryptoQuote = (text: string) => quoteOf({ amountIsCrypto: true, amount: money(text), fees });

  it('crypto_amount is rounded half-up; usd_amount and player_amount follow from it', () => {
    expect(cryptoQuote('2.25')).toMatchObject({ cryptoAmount: '2.25', usdAmount: '108', playerAmount: '100' });
    expect(cryptoQuote('2.000000005').cryptoAmount).toBe('2.00000001');
    expect(cryptoQuote('2.0000000049').cryptoAmount).toBe('2');
  });

  it('an amount that rounds to zero is a validation error, and comes first', () => {
    given()
      .when(issue({ amountIsCrypto: true, amount: money('0.0000000049'), noConf: true, noConfAllowed: false }))
      .thenRefused('amount_rounds_to_zero');
  });
});

describe('a quote is refused, in the order of the create table', () => {
  const everythingWrong = {
    instant: true,
    noConf: true,
    instantAllowed: false,
    noConfAllowed: false,
    currencyEnabled: false,
    currencyEnabledForAffiliate: false,
    marketRate: 'unavailable' as const,
    fees: null,
    amount: money('501'),
  };
  const mended: readonly (readonly [string, object])[] = [
    ['instant_not_enabled', {}],
    ['no_conf_not_enabled', { instant: false }],
    ['currency_not_enabled', { noConfAllowed: true, instantAllowed: true }],
    ['currency_not_enabled_for_affiliate', { currencyEnabled: true, instant: true }],
    ['rate_unavailable', { currencyEnabledForAffiliate: true }],
    ['fees_not_configured', { marketRate: money('50') }],
    ['fees_invalid', { fees: [fee('BF', 'FEE', 'PLAYER', 1)] }],
    ['instant_over_cap', { fees: [] }],
  ];

  it.each(mended.map(([refusal], row) => [refusal, row] as const))('%s', (refusal, row) => {
    const changes = Object.assign({}, everythingWrong, ...mended.slice(0, row + 1).map(([, mend]) => mend));
    given().when(issue(changes)).thenRefused(refusal);
  });

  it('instant needs both permissions', () => {
    given()
      .when(issue({ instant: true, noConfAllowed: false }))
      .thenRefused('instant_not_enabled');
  });

  it('instant_over_cap: usd_amount against the cap of the tier that is fixed at creation', () => {
    const over = (amount: string, returningPlayer: boolean) =>
      given().when(issue({ instant: true, amount: money(amount), returningPlayer }));
    over('500.01', false).thenRefused('instant_over_cap', {
      requestedUsd: '500.01',
      instantMaxUsd: '500',
      instantTier: 'first',
    });
    over('1500.01', true).thenRefused('instant_over_cap', { instantMaxUsd: '1500', instantTier: 'returning' });
    over('500', false).thenShows({ instant_received_max_usd: 600 });
    over('1500', true).thenShows({ instant_received_max_usd: 1600 });
  });

  it('amount_under_min, amount_over_max: usd_amount, with what the player pays on top, against the casino', () => {
    const amountLimits = { minUsd: money('10'), maxUsd: money('100') };
    const fees = [fee('BF', 'FEE', 'PLAYER', 0.25)];
    const asked = (amount: string, instant = false) =>
      given().when(issue({ amount: money(amount), amountLimits, fees, instant }));
    asked('7.99').thenRefused('amount_under_min', { requestedUsd: '9.9875', limitUsd: '10' });
    asked('80.01').thenRefused('amount_over_max', { requestedUsd: '100.0125', limitUsd: '100' });
    asked('9999', true).thenRefused('amount_over_max');
    asked('8').thenShows({ usd_amount: 10 });
    asked('80').thenShows({ usd_amount: 100 });
  });

  it.each([
    ['a percent below 0', [fee('BF', 'FEE', 'PLAYER', -0.01)]],
    ['a percent of 1', [fee('BF', 'FEE', 'PLAYER', '1')]],
    ['spreads that sum to 1', [fee('BF', 'SPREAD', 'PLAYER', 0.5), fee('ENTITY', 'SPREAD', 'PLAYER', 0.5)]],
    ['a SPREAD paid by ENTITY', [fee('BF', 'SPREAD', 'ENTITY', 0.1)]],
    ['an unknown beneficiary', [fee('BANK', 'FEE', 'PLAYER', 0.1)]],
    ['an unknown kind', [fee('BF', 'TAX', 'PLAYER', 0.1)]],
    ['an unknown payer', [fee('BF', 'FEE', 'AFFILIATE', 0.1)]],
    ['a percent that is no number', [fee('BF', 'FEE', 'PLAYER', 'much')]],
  ])('fees_invalid: %s', (_, wrong) => {
    given()
      .when(issue({ fees: [...fees, ...wrong] }))
      .thenRefused('fees_invalid');
  });

  it('an amount that the wire cannot carry is refused, a number as large as it can is not', () => {
    for (const amount of ['1.79e308', '1e308', '1e300', '1e20'])
      for (const amountIsCrypto of [true, false])
        given()
          .when(issue({ amount: money(amount), amountIsCrypto, fees }))
          .thenRefused('amount_out_of_range');
    given()
      .when(issue({ amount: money('90000000'), amountIsCrypto: true, fees }))
      .thenShows({ crypto_amount: 90_000_000 });
  });

  it('the same deposit is issued once', () => {
    given(issue()).when(issue()).thenRefused('already_issued');
  });
});

describe('what a quote shows', () => {
  const assign = (now: string) => ({ type: 'AssignAddress' as const, now, address: 'ltc1' });

  it('expires 30 minutes after it was issued', () => {
    given()
      .when(issue())
      .thenShows({ created_at: minute(0), expires_at: minute(30), wallet: null });
  });

  it('gets one address, while it is unexpired', () => {
    given(issue())
      .when(assign(minute(30)))
      .thenShows({ wallet: 'ltc1' });
    given(issue())
      .when(assign(minute(31)))
      .thenRefused('quote_expired');
    given(issue(), assign(minute(1)))
      .when(assign(minute(2)))
      .thenRefused('address_already_assigned');
  });

  it('gets no address after its quote was reported expired, whatever the clock says', () => {
    given(issue(), expired({ at: minute(1) }))
      .when(assign(minute(2)))
      .thenRefused('quote_expired');
  });

  it('the ok body has exactly the fields of the interface', () => {
    const view = createdView(
      given(issue({ fees }))
        .when(assign(minute(1)))
        .after(),
    );
    expect(Object.keys(view ?? {}).sort()).toEqual(
      'address affiliate_fee_usd affiliate_net_usd bf_fee_usd bf_spread_usd charges crypto_amount crypto_rate currency deposit_id entity_net_usd expires_at fee fee_usd gambler_ref market_rate player_amount status transaction_id usd_amount'.split(
        ' ',
      ),
    );
    expect(view).toMatchObject({ crypto_rate: 48, market_rate: 50, address: 'ltc1', status: 'ok' });
    expect(view?.charges[0]).toEqual({
      beneficiary: 'BF',
      kind: 'SPREAD',
      paid_by: 'PLAYER',
      percent: 0.01,
      amount_usd: 1.125,
      amount_crypto: 0.0225,
    });
  });

  it('the Deposit object has no key without a value: null where it does not apply, late_payment absent', () => {
    const view = depositView(given().when(issue()).after(), minute(0));
    expect(view).not.toHaveProperty('late_payment');
    expect(Object.values(view)).not.toContain(undefined);
  });
});
