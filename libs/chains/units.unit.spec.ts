import { describe, expect, it } from '@jest/globals';
import { coinText, unitsOf } from './units.ts';

describe('amounts in the smallest unit', () => {
  it.each([
    ['BTC', 150_000_000n, '1.5'],
    ['BTC', 1n, '0.00000001'],
    ['BTC', 2_099_999_997_690_000n, '20999999.9769'],
    ['LTC', 0n, '0'],
    ['ETH', 1n, '0.000000000000000001'],
    ['ETH', 123_456_789_012_345_678_901_234n, '123456.789012345678901234'],
  ] as const)('%s: %s is %s', (coin, units, text) => {
    expect(coinText(coin, units)).toBe(text);
    expect(unitsOf(coin, text)).toBe(units);
  });

  it.each(['', '.5', '1.', '-1', '1e3', '0.000000001', ' 1'])('is not %j', (text) => {
    expect(unitsOf('BTC', text)).toBeUndefined();
  });
});
