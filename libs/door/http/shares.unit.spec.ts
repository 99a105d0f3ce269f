import { beforeEach, describe, expect, it } from '@jest/globals';
import { createShares } from './shares.ts';

const letGo: string[] = [];

beforeEach(() => {
  letGo.length = 0;
});

/** What somebody holds, each by a name of its own. */
const holding = ({ enter }: ReturnType<typeof createShares>, owner: string, ...sizes: number[]) =>
  sizes.map((bytes, nth) => {
    const share = enter(owner, () => letGo.push(`${owner}${nth}`));
    share.hold(bytes);
    return share;
  });

describe('what is held for somebody', () => {
  it('is bounded for each: he loses his largest, and of as large ones the one that came first', () => {
    const all = createShares({ most: 1_000, mostOfOne: 60 });
    holding(all, 'a', 10, 20, 20, 5, 20);
    holding(all, 'b', 60);
    expect([letGo, all.held()]).toEqual([['a1'], 115]);
  });

  it('is bounded for all: whoever has the most loses to those who have less, whoever comes last', () => {
    const all = createShares({ most: 100, mostOfOne: 60 });
    holding(all, 'a', 5);
    holding(all, 'b', 20, 30);
    holding(all, 'c', 30);
    holding(all, 'd', 20);
    expect([letGo, all.held()]).toEqual([['b1'], 75]);
  });

  it('is what is still there of it, and no more once it is gone or was let go', () => {
    const all = createShares({ most: 100, mostOfOne: 60 });
    const [read, left, lost] = holding(all, 'a', 50, 10, 0);
    read?.hold(20);
    left?.leave();
    lost?.hold(50);
    expect([letGo, all.held()]).toEqual([['a2'], 20]);
    lost?.hold(50);
    lost?.leave();
    read?.leave();
    expect(all.held()).toBe(0);
  });

  it('is let be where nobody else holds anything, however large it is', () => {
    const all = createShares({ most: 100, mostOfOne: 60 });
    const [only] = holding(all, 'a', 500);
    expect(letGo).toEqual([]);
    only?.leave();
    holding(all, 'b', 80);
    expect([letGo, all.held()]).toEqual([[], 80]);
  });
});
