import { describe, expect, it } from '@jest/globals';
import { provenBy } from './proven.ts';

const iss = 'https://id.example';

describe('an ID token', () => {
  it('proves who it is, and when that was shown: never, where it does not say', () => {
    const subject = 'bob of https://id.example';
    const at = new Date('2026-11-24T12:00:00.000Z');
    expect(provenBy({ sub: 'bob', iss, auth_time: at.getTime() / 1_000 })).toEqual({ subject, at });
    expect(provenBy({ sub: 'bob', iss })).toEqual({ subject, at: new Date(0) });
  });

  it.each([
    ['nobody', { sub: '' }, 'is empty'],
    ['what cannot be kept', { sub: 'b\0b' }, 'holds a NUL'],
    ['no time', { sub: 'bob', auth_time: 1e17 }, 'at a time that is none'],
    ['a time that is too late to be kept', { sub: 'bob', auth_time: 3e11 }, 'at a time that is none'],
  ])('that names %s proves nobody', (_, claims, why) => {
    expect(() => provenBy({ iss, ...claims })).toThrow(why);
  });
});
