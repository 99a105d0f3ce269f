import { describe, expect, it } from '@jest/globals';
import { createRooms } from './rooms.ts';

const FREE = 4_096;

const rooms = (forKnown = 0) => createRooms({ most: 100, mostOfOne: 60, forKnown, free: FREE });

const grown = (bytes: number): number => FREE + bytes;

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
    expect([enter('a').grow(FREE), enter('c').grow(FREE)]).toEqual([true, true]);
  });

  it('is none any more for a body whose answer is out', () => {
    const { enter, kept } = rooms();
    const one = enter('a');
    one.leave();
    expect([one.grow(grown(10)), kept()]).toEqual([false, 0]);
  });
});

describe('room that is all taken', () => {
  const letGo: string[] = [];

  /** Bodies that are not all there, one a name. */
  const begun = ({ enter }: ReturnType<typeof rooms>, address: string, ...sizes: number[]) =>
    sizes.map((bytes, nth) => {
      const name = `${address}${nth}`;
      const room = enter(address, { letGo: () => [room.leave(), letGo.push(name)] });
      return { room, had: room.grow(grown(bytes)) };
    });

  it('is given by the address that has the most, of its largest that is not all there, to one that has less', () => {
    letGo.length = 0;
    const all = rooms();
    const [, settled] = begun(all, 'a', 20, 25, 5);
    settled?.room.settle();
    begun(all, 'b', 40);
    const [newcomer, again] = begun(all, 'c', 30, 25);
    expect([newcomer?.had, again?.had, letGo]).toEqual([true, false, ['a0']]);
  });

  it('is kept in part for callers who are known, who lose none to others', () => {
    letGo.length = 0;
    const all = rooms(20);
    const known = all.enter('k', { isKnown: true, letGo: () => letGo.push('known') });
    expect(known.grow(grown(60))).toBe(true);
    expect(begun(all, 'a', 20, 1).map(({ had }) => had)).toEqual([true, false]);
    expect(all.enter('l', { isKnown: true }).grow(grown(20))).toBe(true);
    expect(letGo).toEqual([]);
  });
});
