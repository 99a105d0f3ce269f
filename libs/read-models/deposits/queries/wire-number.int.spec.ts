import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { databasePerFile } from '../../../../test/support/with-database.ts';
import { asStringified, isShortest, wireNumber } from './wire-number.ts';

const database = databasePerFile();

const written = async (amounts: readonly (string | null)[]): Promise<readonly string[]> => {
  const { rows } = await database.pool.query<{ text: string; shortest: boolean }>(
    `SELECT ${wireNumber('amount')} AS text, ${isShortest('amount')} AS shortest FROM unnest($1::numeric[]) WITH ORDINALITY AS given (amount, nth) ORDER BY nth`,
    [amounts],
  );
  return rows.map(({ text, shortest }) => asStringified(text, shortest));
};

const asJson = (amounts: readonly string[]) => amounts.map((text) => JSON.stringify(Number(text)));

const digits = (most: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: most }).map((all) => all.join(''));
const zeros = fc.nat(39).map((count) => '0'.repeat(count));

/** Whatever the engine may tell: 40 digits before the point, 40 behind it, and many zeros on either side. */
const amounts = fc.oneof(
  fc.tuple(digits(40), digits(40)).map(([whole, rest]) => `${whole}.${rest}`),
  fc.tuple(zeros, digits(40)).map(([before, rest]) => `0.${before}${rest}`.slice(0, 42)),
  fc.tuple(digits(20), zeros).map(([first, after]) => `${first}${after}`.slice(0, 40)),
  fc.tuple(digits(8), digits(8)).map(([whole, rest]) => `${whole}.${rest}`),
  fc.integer({ min: -40, max: 39 }).chain((place) =>
    fc.constantFrom(-1, 0, 1).map((beside) => {
      const power = place < 0 ? `0.${'0'.repeat(-place - 1)}1` : `1${'0'.repeat(place)}`;
      return beside < 0 ? power.replace('1', '0') + '9'.repeat(20) : `${power}${beside > 0 ? '5' : ''}`;
    }),
  ),
);

describe('the number of an amount, as Postgres writes it', () => {
  it.each([
    '0',
    '0.00000001',
    '0.000000123456789012',
    '0.000001',
    '0.00000099999999999999999',
    '0.0001',
    '1.234567890123456789',
    '20999999.99999999',
    '999999999999999',
    '1000000000000000',
    '9007199254740993',
    '100000000000000000000.5',
    '999999999999999999999',
    '4620000003000000000',
    '999999999999999900000',
    '1000000000000000000000',
  ])('is that of JSON.stringify: %s', async (amount) => {
    expect(await written([amount])).toEqual(asJson([amount]));
  });

  it('is that of JSON.stringify, whatever the amount', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(amounts, { minLength: 100, maxLength: 300 }), async (some) => {
        expect(await written(some)).toEqual(asJson(some));
      }),
      { numRuns: 40 },
    );
  });

  it('is null where there is none', async () => {
    expect(await written([null])).toEqual(['null']);
  });
});
