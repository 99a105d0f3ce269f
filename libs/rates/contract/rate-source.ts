import { describe, expect, it } from '@jest/globals';
import { parseDecimal } from '#money';
import type { RateSource } from '../sources/source.ts';

/** What every source of rates keeps to, the simulated and the real ones. */
export const describeRateSource = (name: string, open: () => RateSource): void => {
  const never = new AbortController().signal;

  describe(`${name} is a source of rates`, () => {
    it.each(['BTC', 'LTC', 'ETH'] as const)('that tells what %s costs, in plain digits, above zero', async (ticker) => {
      const { price, tickers } = open();
      expect(tickers).toContain(ticker);
      const told = await price(ticker, never);
      expect(parseDecimal(told)?.greaterThan('0')).toBe(true);
      expect(told).not.toMatch(/\.\d*0$|\.$/);
    });

    it('that can be asked for many at once', async () => {
      const { price, tickers } = open();
      const [once, twice] = await Promise.all([0, 1].map(() => Promise.all(tickers.map((t) => price(t, never)))));
      expect(once).toEqual(twice);
      expect(new Set(once).size).toBe(tickers.length);
    });
  });
};
