import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Amount, amount, one, sum } from '#money';
import type { Amounts, Charge } from '../floor/amounts.ts';
import { beneficiaries, payers } from '../floor/amounts.ts';
import { accept, adjusted, confirmed, issue, kyt, money, ofac, seen } from '../testing/commands.ts';
import { fold, given, history } from '../testing/given.ts';

const percent = fc.integer({ min: 0, max: 2_000 }).map((n) => (n / 10_000).toString());
const spread = fc.record({
  beneficiary: fc.constantFrom(...beneficiaries),
  kind: fc.constant('SPREAD'),
  paidBy: fc.constant('PLAYER'),
  percent,
});
const fee = fc.record({
  beneficiary: fc.constantFrom(...beneficiaries),
  kind: fc.constant('FEE'),
  paidBy: fc.constantFrom(...payers),
  percent,
});
const fees = fc
  .tuple(fc.array(spread, { maxLength: 4 }), fc.array(fee, { maxLength: 5 }))
  .map(([spreads, others]) => [...spreads, ...others]);
const positive = (decimals: number) =>
  fc.bigInt({ min: 1n, max: 10n ** 14n }).map((units) => money(`${units}e-${decimals}`));
/** No more coins than can be counted, whatever fees and spreads make of the price. */
const MOST_COINS = '5e6';
const request = fc
  .record({ fees, amount: positive(6), amountIsCrypto: fc.boolean(), marketRate: positive(8) })
  .filter(({ amount: asked, marketRate }) =>
    [amount(asked), amount(asked).dividedBy(amount(marketRate))].every((coins) => coins.lessThan(amount(MOST_COINS))),
  );

/** Division ends after eighty digits: what is left over is nothing that anybody could be paid. */
const isClose = (left: Amount, right: Amount): boolean =>
  left
    .minus(right)
    .abs()
    .lessThanOrEqualTo(right.abs().plus(one).times(amount('1e-60')));

const usd = ({ charges }: Amounts, picks: (charge: Charge) => boolean): Amount =>
  sum(charges.filter(picks).map(({ amountUsd }) => amount(amountUsd)));

const amountsOf = (changes: Parameters<typeof issue>[0]): Amounts => {
  const state = fold(history(issue(changes)));
  if (state.stage === 'none') throw new Error('no quote was issued');
  return state.amounts;
};

const mustAddUp = (quote: Amounts): void => {
  const market = amount(quote.cryptoAmount).times(amount(quote.marketRate));
  const playerFees = usd(quote, ({ kind, paidBy }) => kind === 'FEE' && paidBy === 'PLAYER');
  const spreads = usd(quote, ({ kind }) => kind === 'SPREAD');
  const ownCut = usd(quote, ({ beneficiary, paidBy }) => beneficiary === 'ENTITY' && paidBy === 'PLAYER');
  const casinoPaid = usd(quote, ({ paidBy }) => paidBy === 'ENTITY');
  expect(isClose(amount(quote.playerAmount).plus(playerFees), amount(quote.usdAmount))).toBe(true);
  expect(isClose(amount(quote.cryptoAmount).times(amount(quote.cryptoRate)).plus(spreads), market)).toBe(true);
  expect(isClose(amount(quote.playerAmount).plus(ownCut).minus(casinoPaid), amount(quote.entityNetUsd))).toBe(true);
};

describe('charges', () => {
  it('always add up: what the player pays, the market value of the coins, what the casino is settled', () => {
    fc.assert(fc.property(request, (changes) => mustAddUp(amountsOf(changes))));
  });

  it('never ask for less crypto than the price, nor for a unit more than needed', () => {
    fc.assert(
      fc.property(request, (changes) => {
        const quote = amountsOf({ ...changes, amountIsCrypto: false });
        const rate = amount(quote.cryptoRate);
        const asked = amount(quote.cryptoAmount);
        expect(asked.times(rate).greaterThanOrEqualTo(amount(quote.usdAmount))).toBe(true);
        expect(asked.minus(amount('1e-8')).times(rate).lessThan(amount(quote.usdAmount))).toBe(true);
      }),
    );
  });

  it('add up after every adjusted accept too, with the percents of the quote', () => {
    fc.assert(
      fc.property(request, positive(8), fc.boolean(), (changes, received, late) => {
        const past = [seen({ amount: received, ...(late ? { at: '2026-03-02T00:00:00Z' } : {}) }), confirmed()];
        const outcome = given(issue(changes), ...past, ofac('clear'), kyt('passed')).when(
          adjusted({ currentRate: money('77.7') }),
        );
        const { amounts } = outcome.after();
        expect(outcome.outcome.outcome).toBe('applied');
        expect(amounts.charges.map(({ percent: kept }) => kept)).toEqual(
          amountsOf(changes).charges.map(({ percent: quoted }) => quoted),
        );
        mustAddUp(amounts);
      }),
    );
  });

  it.each([1e-41, 1.234567890123e-36, 2.2250738585072014e-308, 5e-324, `0.${'0'.repeat(323)}5`])(
    'are those of the quote after an adjusted accept too, however small a percent was configured: %s',
    (configured) => {
      const line = { beneficiary: 'BF', kind: 'FEE', paidBy: 'PLAYER', percent: configured };
      const quote = amountsOf({ fees: [line] });
      expect(quote.charges).toMatchObject([{ percent: money(String(configured)) }]);
      const past = [issue({ fees: [line] }), seen({ amount: '3' }), confirmed(), ofac('clear')];
      const outcome = given(...past, kyt('passed')).when(adjusted());
      outcome.thenEvents({ type: 'DepositAccepted', data: { adjusted: true } });
      expect(outcome.after().amounts.charges).toMatchObject([{ percent: money(String(configured)) }]);
      mustAddUp(outcome.after().amounts);
    },
  );

  it('adjusted accept with the quoted amount on an ordinary deposit changes nothing', () => {
    fc.assert(
      fc.property(request, fc.integer({ min: 0, max: 9 }), (changes, dust) => {
        const quote = amountsOf(changes);
        const exact = amount(quote.cryptoAmount)
          .plus(amount(`${dust}e-10`))
          .toFixed();
        const past = [issue(changes), seen({ amount: exact }), confirmed(), ofac('clear'), kyt('passed')];
        const withFlag = given(...past).when(adjusted());
        expect(withFlag.after().amounts).toEqual(quote);
        expect(withFlag.after().adjusted).toBe(false);
        expect(
          given(...past)
            .when(accept())
            .after().amounts,
        ).toEqual(quote);
      }),
    );
  });
});
