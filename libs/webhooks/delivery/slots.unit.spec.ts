import { describe, expect, it } from '@jest/globals';
import { createSlots } from './slots.ts';

const limits = { total: 10, perEndpoint: 4, doubtfulShare: 0.5 };

/** As the claim reads it: known with a room, doubtful with one, or new with one. */
const roomAt = (slots: ReturnType<typeof createSlots>, endpoint: string): number => {
  const { doubtful, roomOf, roomOfDoubtful } = slots.room();
  if (doubtful.includes(endpoint)) return Math.min(1, roomOfDoubtful);
  return roomOf.get(endpoint) ?? 1;
};

describe('an endpoint', () => {
  it('that has not answered yet gets one attempt at a time', () => {
    const slots = createSlots(limits);
    expect(roomAt(slots, 'a')).toBe(1);
    slots.take('a');
    expect(roomAt(slots, 'a')).toBe(0);
  });

  it('gets its full number once it answered quickly, and one again after a failure', () => {
    const slots = createSlots(limits);
    slots.take('a');
    slots.free('a', 'quick');
    expect(roomAt(slots, 'a')).toBe(4);
    for (const _ of [1, 2]) slots.take('a');
    expect(roomAt(slots, 'a')).toBe(2);
    slots.free('a', 'failed');
    expect(roomAt(slots, 'a')).toBe(0);
    slots.free('a', 'quick');
    expect(roomAt(slots, 'a')).toBe(4);
  });

  it('that is slow gets its full number one by one, as far as the part of the doubtful reaches', () => {
    const slots = createSlots(limits);
    slots.take('a');
    slots.free('a', 'slow');
    for (const _ of [1, 2, 3, 4]) {
      expect(roomAt(slots, 'a')).toBe(1);
      slots.take('a');
    }
    expect(roomAt(slots, 'a')).toBe(0);
  });
});

describe('endpoints that hang', () => {
  it('hold a part of all attempts together, and leave the rest to those that work and those that are new', () => {
    const slots = createSlots(limits);
    const hanging = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const endpoint of hanging) slots.take(endpoint);
    for (const endpoint of hanging) slots.free(endpoint, 'failed');
    expect(slots.room()).toMatchObject({ room: 10, doubtful: hanging, roomOfDoubtful: 5 });
    for (const endpoint of hanging.slice(0, 5)) slots.take(endpoint);
    expect(slots.room()).toMatchObject({ room: 5, doubtful: ['f'], roomOfDoubtful: 0 });
    expect(roomAt(slots, 'new')).toBe(1);
  });
});
