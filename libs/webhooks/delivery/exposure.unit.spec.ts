import { setTimeout as later } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { createExposure } from './exposure.ts';

describe('what a kill would send again', () => {
  it('is full until something is stored, however much is answered', () => {
    let room = 0;
    const exposure = createExposure({ most: 2, youngMs: 60_000 }, () => {
      room += 1;
    });
    const [first, second] = [exposure.begin(), exposure.begin()];
    expect(exposure.isFull()).toBe(true);
    first.answered();
    second.answered();
    expect(exposure.isFull()).toBe(true);
    first.stored();
    expect([exposure.isFull(), room]).toEqual([false, 1]);
    second.stored();
    expect(room).toBe(1);
  });

  it('leaves out what hangs, until it is answered', async () => {
    const room = Promise.withResolvers<void>();
    const exposure = createExposure({ most: 1, youngMs: 10 }, room.resolve);
    const slow = exposure.begin();
    await room.promise;
    expect(exposure.isFull()).toBe(false);
    slow.answered();
    expect(exposure.isFull()).toBe(true);
    slow.stored();
    await later(20);
    expect(exposure.isFull()).toBe(false);
    exposure.begin();
    expect(exposure.isFull()).toBe(true);
  });
});
