import { expect, it } from '@jest/globals';
import { shownText } from './shown-text.ts';

it.each([
  ['bc1q\u202efdp', 'bc1q\\u202efdp'],
  ['\u2066a\u2069\u200e\u200f\u061c', '\\u2066a\\u2069\\u200e\\u200f\\u061c'],
  ['g\u200b-1\ufeff\u00ad', 'g\\u200b-1\\ufeff\\u00ad'],
  ['a\u0000\u001b[31m\u0085\u007f', 'a\\u0000\\u001b[31m\\u0085\\u007f'],
  ['a\u2028b\u3164', 'a\\u2028b\\u3164'],
  ['\u{e0041}', '\\u{e0041}'],
])('what cannot be seen is told as its code: %j', (sent, shown) => {
  expect(shownText(sent)).toBe(shown);
});

it.each(['two\nlines\tand more', 'M\u00fcller \u2013 \u05d0\u05d1', '\u{1f3b0} 5\u00a0%', ''])(
  'what can be seen stays: %j',
  (sent) => {
    expect(shownText(sent)).toBe(sent);
  },
);
