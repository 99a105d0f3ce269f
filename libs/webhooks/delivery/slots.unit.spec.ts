import { describe, expect, it } from '@jest/globals';
import { createSlots } from './slots.ts';

const limits = { total: 10, perEndpoint: 4, ahead: 0, doubtfulShare: 0.5 };

/** As the claim reads it: known with a room, doubtful with one, or new with one. */
const roomAt = (slots: ReturnType<typeof createSlots>, endpoint: string): number => {
  const { doubtful, roomOf, roomOfDoubtful, roomOfNew } = slots.room();
  if (doubtful.includes(endpoint)) return Math.min(1, roomOfDoubtful);
  return roomOf.get(endpoint) ?? Math.min(1, roomOfNew);
};

const begin = (slots: ReturnType<typeof createSlots>, endpoint: string): void => {
  slots.take(endpoint);
  slots.start(endpoint);
};

describe('an endpoint', () => {
  it('that has not answered yet gets one attempt at a time', () => {
    const slots = createSlots(limits);
    expect(roomAt(slots, 'a')).toBe(1);
    begin(slots, 'a');
    expect(roomAt(slots, 'a')).toBe(0);
  });

  it('gets its full number once it answered quickly, and one again after a failure', () => {
    const slots = createSlots(limits);
    begin(slots, 'a');
    slots.free('a', 'quick');
    expect(roomAt(slots, 'a')).toBe(4);
    for (const _ of [1, 2]) begin(slots, 'a');
    expect(roomAt(slots, 'a')).toBe(2);
    slots.free('a', 'failed');
    expect(roomAt(slots, 'a')).toBe(0);
    slots.free('a', 'quick');
    expect(roomAt(slots, 'a')).toBe(4);
  });

  it('that is slow gets its full number one by one, as far as the part of the doubtful reaches', () => {
    const slots = createSlots(limits);
    begin(slots, 'a');
    slots.free('a', 'slow');
    for (const _ of [1, 2, 3, 4]) {
      expect(roomAt(slots, 'a')).toBe(1);
      begin(slots, 'a');
    }
    expect(roomAt(slots, 'a')).toBe(0);
  });
});

describe('endpoints that hang', () => {
  it('hold a part of all attempts together, and leave the rest to those that work and those that are new', () => {
    const slots = createSlots(limits);
    const hanging = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const endpoint of hanging) begin(slots, endpoint);
    for (const endpoint of hanging) slots.free(endpoint, 'failed');
    expect(slots.room()).toMatchObject({ room: 10, doubtful: hanging, roomOfDoubtful: 5 });
    for (const endpoint of hanging.slice(0, 5)) begin(slots, endpoint);
    expect(slots.room()).toMatchObject({ room: 5, doubtful: ['f'], roomOfDoubtful: 0 });
    expect(roomAt(slots, 'new')).toBe(1);
  });
});

describe('what is claimed ahead', () => {
  const aheadOf = (total: number) => createSlots({ ...limits, total, ahead: 2 });

  const quick = (slots: ReturnType<typeof createSlots>, endpoint: string): void => {
    begin(slots, endpoint);
    slots.free(endpoint, 'quick');
  };

  it('is for endpoints that answer quickly alone, and starts as slots come free', () => {
    const slots = aheadOf(10);
    quick(slots, 'a');
    begin(slots, 'b');
    slots.free('b', 'slow');
    expect([roomAt(slots, 'a'), roomAt(slots, 'b'), roomAt(slots, 'new')]).toEqual([12, 1, 1]);
    for (let n = 0; n < 12; n++) slots.take('a');
    expect(roomAt(slots, 'a')).toBe(0);
    for (let n = 0; n < 4; n++) slots.start('a');
    expect(slots.mayStart('a')).toBe(false);
    slots.free('a', 'quick');
    expect(slots.mayStart('a')).toBe(true);
    expect(roomAt(slots, 'a')).toBe(1);
  });

  it('takes no slot from an endpoint that is new: without a free one it is claimed all the same, for its turn', () => {
    const slots = aheadOf(4);
    quick(slots, 'a');
    for (let n = 0; n < 12; n++) slots.take('a');
    expect(roomAt(slots, 'new')).toBe(1);
    for (let n = 0; n < 4; n++) slots.start('a');
    expect(slots.room().roomOfNew).toBe(1);
    expect(slots.mayStart('new')).toBe(false);
    slots.free('a', 'quick');
    expect(slots.mayStart('new')).toBe(true);
  });

  it('is less for each the more endpoints have something here', () => {
    const slots = aheadOf(10);
    for (const endpoint of ['a', 'b', 'c', 'd', 'e']) {
      quick(slots, endpoint);
      slots.take(endpoint);
    }
    expect(roomAt(slots, 'a')).toBe(5);
  });
});
