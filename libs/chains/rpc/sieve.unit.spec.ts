import { expect, it } from '@jest/globals';
import { createSift } from './sieve.ts';

const sifted = (text: string, pieces: number): unknown => {
  const sift = createSift();
  let kept = '';
  for (let from = 0; from < text.length; from += pieces) kept += sift(text.slice(from, from + pieces));
  return JSON.parse(kept);
};

const LONG = 'ab'.repeat(200);

it.each([1, 2, 3, 7, 1_000, 100_000])('leaves what is short of JSON that comes in pieces of %i', (pieces) => {
  const text = JSON.stringify({
    ...{ id: 0, no: null, yes: true, short: 'a "quoted" \\ and [bracketed] {one}', ends: '\\' },
    ...{
      long: LONG,
      marked: `\\"[${LONG}]`,
      slashes: '\\'.repeat(300),
      list: [LONG, [1, ']', '"'], { a: [] }],
      empty: [],
    },
    deep: { '0x1': { 5: { hash: 'ab'.repeat(33), input: LONG, accessList: [{ storageKeys: [LONG] }], value: '0x1' } } },
  });
  expect(sifted(text, pieces)).toEqual({
    ...{ id: 0, no: null, yes: true, short: 'a "quoted" \\ and [bracketed] {one}', ends: '\\' },
    ...{ long: '', marked: '', slashes: '', list: [], empty: [] },
    deep: { '0x1': { 5: { hash: 'ab'.repeat(33), input: '', accessList: [], value: '0x1' } } },
  });
});

it('holds nothing of what goes on without an end', () => {
  const sift = createSift();
  sift('{"input":"');
  for (let nth = 0; nth < 1_000; nth += 1) expect(sift('a\\n'.repeat(1_000))).toBe('');
  expect(sift('"}')).toBe('""}');
});
