import { describe, expect, it } from '@jest/globals';
import { createBodyRooms, FREE_BYTES } from './body-room.ts';

const rooms = () => createBodyRooms({ most: 100, mostOfOne: 60 });

const grown = (bytes: number): number => FREE_BYTES + bytes;

describe('the room for bodies', () => {
  it('is bounded for one address and for all, and comes back when a body is gone', () => {
    const { enter, kept } = rooms();
    const [first, second, other, last] = [enter('a'), enter('a'), enter('b'), enter('c')];
    expect([first.grow(grown(20)), first.grow(grown(40)), second.grow(grown(21))]).toEqual([true, true, false]);
    expect([other.grow(grown(60)), last.grow(grown(1))]).toEqual([true, false]);
    first.leave();
    expect([second.grow(grown(21)), kept()]).toEqual([true, 81]);
    for (const one of [first, second, other]) one.leave();
    expect(kept()).toBe(0);
  });

  it('is never refused to a body of an ordinary size', () => {
    const { enter } = rooms();
    enter('a').grow(grown(60));
    enter('b').grow(grown(40));
    expect([enter('a').grow(FREE_BYTES), enter('c').grow(FREE_BYTES)]).toEqual([true, true]);
  });

  it('is none any more for a body whose answer is out', () => {
    const { enter, kept } = rooms();
    const one = enter('a');
    one.leave();
    expect([one.grow(grown(10)), kept()]).toEqual([false, 0]);
  });
});
