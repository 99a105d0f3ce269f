import { expect, it } from '@jest/globals';
import { createUnbroken } from './refusals.ts';

const MINUTE = 60_000;

const after = (minutes: number): Date => new Date(minutes * MINUTE);

it('a payment of thousands counts as refused all the while, however seldom it is asked of', () => {
  const unbroken = createUnbroken();
  for (let minutes = 0; minutes < 120; minutes += 4) unbroken(minutes * MINUTE);
  expect(unbroken(120 * MINUTE)).toEqual(after(0));
});

it('what was refused before a watcher began counts where that is a moment ago', () => {
  const unbroken = createUnbroken();
  expect(unbroken(60 * MINUTE)).toEqual(after(55));
  expect(unbroken(64 * MINUTE)).toEqual(after(59));
  expect(unbroken(68 * MINUTE)).toEqual(after(60));
});

it('what was refused before a gap does not count after it', () => {
  const unbroken = createUnbroken();
  unbroken(0);
  unbroken(4 * MINUTE);
  expect(unbroken(60 * MINUTE)).toEqual(after(55));
});
