import { describe, expect, it } from '@jest/globals';
import { unfitText } from './json-text.ts';

const MEGABYTE = 1_000_000;

const repeated = (part: string): string => part.repeat(Math.ceil(MEGABYTE / part.length));

describe('a large body, before it is parsed', () => {
  it.each([
    ['json_too_many_parts', `[${repeated('{"0":1},')}{}]`],
    ['json_too_many_parts', `[${repeated('[],')}[]]`],
    ['json_too_deep', repeated('[')],
    ['json_too_deep', repeated('{"a":')],
    ['json_too_many_names', `{${repeated('"a":1,')}"b":2}`],
    ['json_too_many_names', `{"a":{${repeated('"a":"}",')}"b":2}}`],
  ])('is refused: %s', (code, text) => {
    expect(unfitText(Buffer.from(text))).toMatchObject({ body: { code } });
  });

  it.each([
    ['a long text', JSON.stringify({ a: repeated('{"a":[1]}') })],
    ['a text with quotes and backslashes', JSON.stringify({ a: repeated('\\\\"{'), b: '\\' })],
    ['a list of numbers', `[${repeated('1,')}1]`],
    [
      'small objects, one after the other',
      JSON.stringify([...Array(9_000).keys()].map((a) => ({ a, b: 'x'.repeat(9) }))),
    ],
    [
      'names up to the limit',
      JSON.stringify(Array(300).fill(Object.fromEntries([...Array(200).keys()].map((a) => [a, 1])))),
    ],
    ['a text that does not end', `{"a":"${repeated('{')}`],
  ])('is parsed: %s', (_, text) => {
    expect(unfitText(Buffer.from(text))).toBeUndefined();
  });

  it('is left to the parser where it is small', () => {
    expect(unfitText(Buffer.from('['.repeat(100)))).toBeUndefined();
  });
});
