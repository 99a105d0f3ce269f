import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { currencies, legacyCurrencies } from '#money';
import { depositStream, fastLaneStream, isStreamOfDeposits, outputStream, setAsideStream } from './streams.ts';

const LAST_OUTPUT = 2 ** 32 - 1;

const id = fc.oneof(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), fc.constant(Number.MAX_SAFE_INTEGER));
const anything = fc.string({ unit: 'binary' });
const coin = fc.constantFrom(...currencies, ...legacyCurrencies);
const vout = fc.oneof(fc.integer({ min: 0, max: LAST_OUTPUT }), fc.constantFrom(0, LAST_OUTPUT));

describe('a stream of deposits', () => {
  it('is known by its name, whatever deposit, player, coin or output it is of', () => {
    fc.assert(
      fc.property(id, anything, coin, vout, (number, text, currency, output) => {
        const names = [
          ...[depositStream(number), setAsideStream(number), fastLaneStream(number, text)],
          outputStream(currency, text, output),
        ];
        expect(names.filter((name) => !isStreamOfDeposits(name))).toEqual([]);
      }),
    );
  });

  it.each([
    ...['deposit-', 'deposit-order-17', 'deposit-17-2', 'deposit-017', 'deposit-1\n', 'deposit-a\u0000b', ' deposit-1'],
    ...['output-17', `output-btc-${'a'.repeat(32)}-0`, `fastlane-${'a'.repeat(32)}`, 'signals--1', 'deposit-1.0', ''],
  ])('is none by a name that only looks like one: %j', (name) => expect(isStreamOfDeposits(name)).toBe(false));
});
