import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { isStrong } from './strength.ts';

it.each(['hex', 'base64', 'base64url'] as const)('takes 128 random bits as %s, and not half of them', (encoding) => {
  for (let nth = 0; nth < 200; nth++) {
    expect(isStrong(randomBytes(16).toString(encoding))).toBe(true);
    expect(isStrong(randomBytes(8).toString(encoding))).toBe(false);
  }
});

it.each(['', 'secret', 'correct-horse', 'a'.repeat(64), 'abcabc'.repeat(20), '12345678901234567890123456789012'])(
  'does not take %s',
  (text) => expect(isStrong(text)).toBe(false),
);
