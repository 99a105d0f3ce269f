import { expect, it } from '@jest/globals';
import { jsonSafely, shownSafely } from './index.ts';

it.each([
  ['a\u001b[31mred\u001b]0;title\u0007', 'a\\x1b[31mred\\x1b]0;title\\x07'],
  ['one\r\n\ttwo\u0000', 'one\\x0d\\x0a\\x09two\\x00'],
  ['\u007f\u009b2J\u0085', '\\x7f\\x9b2J\\x85'],
  ['\u202egnp\u2066\u2069\u200e\u200f\u061c', '\\u202egnp\\u2066\\u2069\\u200e\\u200f\\u061c'],
])('what a terminal would obey is shown as a code: %j', (sent, shown) => {
  expect(shownSafely(sent)).toBe(shown);
});

it.each(['M\u00fcller \u2013 \u05d0\u05d1', '\u{1f3b0} 5\u00a0%', '\\x1b', ''])(
  'what can be seen stays: %j',
  (sent) => {
    expect(shownSafely(sent)).toBe(sent);
  },
);

it('JSON stays what it was', () => {
  const value = { 'a\u202e': 'b\u009b31m\u007f\u001b\n' };
  const json = jsonSafely(JSON.stringify(value));
  expect(json).toBe('{"a\\u202e":"b\\u009b31m\\u007f\\u001b\\n"}');
  expect(JSON.parse(json)).toEqual(value);
});
