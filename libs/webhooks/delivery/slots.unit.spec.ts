import { describe, expect, it } from '@jest/globals';
import { createSlots } from './slots.ts';

const limits = { total: 10, perEndpoint: 4, doubtfulShare: 0.5 };

const roomAt = (slots: ReturnType<typeof createSlots>, endpoint: string): number =>
  slots.room().roomOf.get(endpoint) ?? 1;

describe('an endpoint', () => {
  it('that has not answered yet gets one attempt at a time', () => {
    const slots = createSlots(limits);
    expect(roomAt(slots, 'a')).toBe(1);
    slots.take('a');
    expect(roomAt(slots, 'a')).toBe(0);
  });

  it('gets its full number once it answered well, and one again after a failure', () => {
    const slots = createSlots(limits);
    slots.take('a');
    slots.free('a', true);
    expect(roomAt(slots, 'a')).toBe(4);
    slots.take('a');
    slots.take('a');
    expect(roomAt(slots, 'a')).toBe(2);
    slots.free('a', false);
    expect(roomAt(slots, 'a')).toBe(0);
    slots.free('a', true);
    expect(roomAt(slots, 'a')).toBe(4);
  });
});

describe('endpoints that hang', () => {
  it('hold a part of all attempts together, and leave the rest to those that work and those that are new', () => {
    const slots = createSlots(limits);
    const hanging = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const endpoint of hanging) slots.take(endpoint);
    for (const endpoint of hanging) slots.free(endpoint, false);
    expect(slots.room()).toMatchObject({ room: 10, doubtful: hanging, roomOfDoubtful: 5 });
    for (const endpoint of hanging.slice(0, 5)) slots.take(endpoint);
    expect(slots.room()).toMatchObject({ room: 5, doubtful: ['f'], roomOfDoubtful: 0 });
    expect(roomAt(slots, 'new')).toBe(1);
  });
});
