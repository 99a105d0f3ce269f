import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  amount,
  cutCrypto,
  decimalText,
  equalAtQuotePrecision,
  fromJsonNumber,
  isCurrency,
  isSafeAtQuotePrecision,
  parseDecimal,
  roundCryptoHalfUp,
  roundCryptoUp,
  toText,
  toWireNumber,
  wireNumberOf,
} from './index.ts';

describe('money', () => {
  it('adds decimals as decimals', () => {
    expect(toText(amount('0.1').plus(amount('0.2')))).toBe('0.3');
  });

  it('keeps at least 40 significant digits in between', () => {
    expect(toText(amount('1').dividedBy(amount('3'))).length).toBeGreaterThan(42);
  });

  it.each([
    ['0.000000011', '0.00000002', '0.00000001', '0.00000001'],
    ['0.000000015', '0.00000002', '0.00000002', '0.00000001'],
    ['0.000000019', '0.00000002', '0.00000002', '0.00000001'],
    ['1.00000000', '1', '1', '1'],
  ])('rounds %s up to %s, half-up to %s, cut to %s', (text, up, halfUp, cut) => {
    expect([roundCryptoUp, roundCryptoHalfUp, cutCrypto].map((round) => toText(round(amount(text))))).toEqual([
      up,
      halfUp,
      cut,
    ]);
  });

  it('compares at the precision of a quote, cut and not rounded', () => {
    expect(equalAtQuotePrecision(amount('2'), amount('2.00000000999'))).toBe(true);
    expect(equalAtQuotePrecision(amount('2'), amount('1.99999999999'))).toBe(false);
  });

  it('knows what 2^53 - 1 units of 1e-8 can hold', () => {
    expect(isSafeAtQuotePrecision(amount('90071992.547409919'))).toBe(true);
    expect(isSafeAtQuotePrecision(amount('90071992.54740992'))).toBe(false);
  });

  it('writes amounts in one way, without exponents', () => {
    expect([toText(amount('1e-9')), toText(amount('1e21')), toText(amount('0100.50'))]).toEqual([
      '0.000000001',
      '1000000000000000000000',
      '100.5',
    ]);
  });

  it.each([
    '',
    ' 1',
    '1.',
    '.5',
    '-1',
    '+1',
    '1e3',
    'NaN',
    'Infinity',
    '0x1',
    '1,5',
    '١',
    `${'9'.repeat(41)}`,
    1,
    null,
    undefined,
  ])('does not take %p for a decimal', (text) => {
    expect(parseDecimal(text)).toBeUndefined();
  });

  it('reads a JSON number as the shortest text of its double, and writes the same double back', () => {
    expect(fromJsonNumber(Number.NaN)).toBeUndefined();
    expect(toText(fromJsonNumber(0.1) ?? amount('0'))).toBe('0.1');
    fc.assert(
      fc.property(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(toWireNumber(fromJsonNumber(value) ?? amount('0'))).toBe(value);
      }),
    );
  });

  it('writes on the wire the double nearest to the decimal', () => {
    expect(JSON.stringify(toWireNumber(amount('0.30000000000000000000000000000000001')))).toBe('0.3');
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.nat(30), (digits, scale) => {
        const value = amount(`${digits}e-${scale}`);
        expect(wireNumberOf(toText(value))).toBe(toWireNumber(value));
      }),
    );
  });

  it('knows its currencies by their exact names', () => {
    expect(['BTC', 'LTC', 'ETH', 'btc', 'USDT', '__proto__'].filter(isCurrency)).toEqual(['BTC', 'LTC', 'ETH']);
    expect(decimalText('05')).toBe('5');
  });
});
