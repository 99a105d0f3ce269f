import { describe, expect, it } from '@jest/globals';
import { rememberPast } from './index.ts';

describe('whoever is past a limit', () => {
  it('is known until the window ends, and nobody else is', () => {
    let clock = 5_000;
    const past = rememberPast(() => clock);
    past.note('a', 42);
    expect([past.secondsLeft('a'), past.secondsLeft('b')]).toEqual([42, undefined]);
    clock += 41_500;
    expect(past.secondsLeft('a')).toBe(1);
    clock += 500;
    expect(past.secondsLeft('a')).toBeUndefined();
  });

  it('is forgotten where too many are, and no memory is filled by addresses that somebody makes up', () => {
    const past = rememberPast(() => 0);
    for (let nth = 0; nth <= 10_000; nth++) past.note(String(nth), 60);
    expect([past.secondsLeft('0'), past.secondsLeft('10000')]).toEqual([undefined, 60]);
  });
});
