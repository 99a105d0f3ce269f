import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readInstant } from './time.ts';

describe('an instant', () => {
  it('reads as Date does, in whatever form it came', () => {
    const date = fc.date({
      noInvalidDate: true,
      min: new Date('0000-01-01'),
      max: new Date('9999-12-31T23:59:59.999Z'),
    });
    fc.assert(
      fc.property(date, (day) => {
        const text = day.toISOString();
        expect(readInstant(text)).toBe(text);
        expect(readInstant(text.replace('Z', '+00:00'))).toBe(text);
        expect(readInstant(text.replace(/\.\d{3}Z$/, 'Z'))).toBe(text.replace(/\d{3}Z$/, '000Z'));
      }),
    );
  });

  it.each([
    ['2026-02-29T10:00:00.000Z', '2026-03-01T10:00:00.000Z'],
    ['2026-04-31T10:00:00.000Z', '2026-05-01T10:00:00.000Z'],
    ['2026-11-24T24:00:00.000Z', '2026-11-25T00:00:00.000Z'],
  ])('%s is %s, as everywhere else', (text, same) => {
    expect(readInstant(text)).toBe(same);
  });

  it.each([
    '2026-11-00T10:00:00.000Z',
    '2026-13-01T10:00:00.000Z',
    '2026-11-24T10:60:00.000Z',
    '2026-11-24 10:00:00.000Z',
  ])('%s is none', (text) => {
    expect(readInstant(text)).toBeUndefined();
  });
});
