import { expect, it } from '@jest/globals';
import { timeIn } from './times.ts';

const read = (text: string | undefined): string | undefined => timeIn({ option: () => text }, 'from')?.toISOString();

it.each([
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  ['2026-01-31T14:05Z', '2026-01-31T14:05:00.000Z'],
  ['2026-01-31T14:05:00.123456Z', '2026-01-31T14:05:00.123Z'],
  ['2026-01-31T23:30:00-05:00', '2026-02-01T04:30:00.000Z'],
  ['2028-02-29', '2028-02-29T00:00:00.000Z'],
])('%s is one moment wherever it is typed', (text, instant) => expect(read(text)).toBe(instant));

it('a day is the last one up to its end', () => {
  expect(timeIn({ option: () => '2026-11-30' }, 'to')?.toISOString()).toBe('2026-11-30T23:59:59.999Z');
});

it('nothing is no bound', () => expect(read(undefined)).toBeUndefined());

it.each([
  ...['2026-01-31T14:05', '2026-01-31 14:05', '2026-02-30', '2026-02-30T00:00:00Z', '2027-02-29', '2026-13-01'],
  ...['0000-01-01', '5', 'monday 7', 'x 2026', '2026', ''],
])('%s is refused, with what would be taken', (text) => {
  expect(() => read(text)).toThrow(`--from ${text} is no day, as 2026-01-31, and no time with its zone`);
});
