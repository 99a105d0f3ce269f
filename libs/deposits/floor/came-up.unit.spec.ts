import { expect, it } from '@jest/globals';
import { cameUpAt, nothingCameUp, withCameUp } from './came-up.ts';

it('tells of each the revision at which it came up last, in a few maps', () => {
  const names = Array.from({ length: 40 }, (_, nth) => `tx:${nth}`);
  let since = nothingCameUp;
  for (const [nth, name] of names.entries()) since = withCameUp(since, [name], nth);
  expect(names.map((name) => cameUpAt(since, name))).toEqual(names.map((_, nth) => nth));
  expect(since.map(({ size }) => size)).toEqual([32, 8]);
  const again = withCameUp(since, ['tx:3', 'kyt'], 50);
  expect([cameUpAt(again, 'tx:3'), cameUpAt(again, 'kyt'), cameUpAt(again, 'tx:4')]).toEqual([50, 50, 4]);
  expect([cameUpAt(since, 'tx:3'), cameUpAt(since, 'kyt')]).toEqual([3, undefined]);
});
