import { describe, expect, it } from '@jest/globals';
import { nextAttemptInMs } from './schedule.ts';

const now = new Date('2026-03-01T12:00:00Z');
const msAfter = (failures: number, dice = 0.5) =>
  nextAttemptInMs({ failures, statusCode: 500, retryAfter: null }, now, () => dice);
const asked = (retryAfter: string, statusCode = 503) =>
  nextAttemptInMs({ failures: 1, statusCode, retryAfter }, now, () => 0.5);

describe('the next attempt comes', () => {
  it('5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 3 h, 6 h, 12 h and 24 h after a failure, then never', () => {
    const seconds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((failures) => {
      const ms = msAfter(failures);
      return ms === undefined ? 'never' : ms / 1_000;
    });
    expect(seconds).toEqual([5, 30, 120, 600, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400, 'never']);
  });

  it('up to a fifth sooner or later', () => {
    expect([msAfter(1, 0), msAfter(1, 1), msAfter(10, 0), msAfter(10, 1)]).toEqual([
      4_000, 6_000, 69_120_000, 103_680_000,
    ]);
  });

  it('when the endpoint asked for it, the first time sooner or later than planned, from a second up to an hour', () => {
    expect(asked('120')).toBe(120_000);
    expect(asked('120', 429)).toBe(120_000);
    expect(asked('86400')).toBe(3_600_000);
    expect([asked('2'), asked('0')]).toEqual([2_000, 1_000]);
    expect(asked('Sun, 01 Mar 2026 12:10:00 GMT')).toBe(600_000);
  });

  it('sooner than planned but once: whoever is polite is not given up any sooner', () => {
    const asks = (failures: number, retryAfter: string) =>
      nextAttemptInMs({ failures, statusCode: 503, retryAfter }, now, () => 0.5);
    expect([1, 2, 3, 10].map((failures) => asks(failures, '1'))).toEqual([1_000, 30_000, 120_000, 86_400_000]);
    expect([2, 3, 5].map((failures) => asks(failures, '300'))).toEqual([300_000, 300_000, 1_800_000]);
  });

  it('as planned when the asking makes no sense or is not for it to ask', () => {
    expect(['soon', '-5', '', '1e9999'].map((text) => asked(text))).toEqual([5_000, 5_000, 5_000, 5_000]);
    expect(asked('120', 500)).toBe(5_000);
    expect(nextAttemptInMs({ failures: 11, statusCode: 503, retryAfter: '120' }, now)).toBeUndefined();
  });
});
