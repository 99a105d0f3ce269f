import { expect, it } from '@jest/globals';
import { hasSignalId, noSignalIds, withSignalId } from './signal-ids.ts';

it('knows every signal that was added, and none that comes later, in a few sets', () => {
  const names = Array.from({ length: 40 }, (_, nth) => `signal ${nth}`);
  let ids = noSignalIds;
  for (const [count, name] of names.entries()) {
    const before = ids;
    ids = withSignalId(ids, name);
    expect(names.filter((one) => hasSignalId(before, one))).toEqual(names.slice(0, count));
  }
  expect(ids.map(({ size }) => size)).toEqual([32, 8]);
});
