import { describe, expect, it } from '@jest/globals';
import { type Position, parsePosition } from '#event-log';
import { createWaiters } from './waiters.ts';

const at = (major: number): Position => parsePosition(`${String(major).padStart(20, '0')}.${'0'.repeat(20)}`);

describe('Those who wait for a projection', () => {
  it('go on when it reaches their position or passes it', async () => {
    const waiters = createWaiters();
    const waits = [waiters.wait('deposits/1', at(9), 5_000), waiters.wait('deposits/1', at(10), 5_000)];
    waiters.moved('deposits/1', at(10));
    expect(await Promise.all(waits)).toEqual([true, true]);
    expect(waiters.keys()).toEqual([]);
  });

  it('are told false at their bound, when it is still before', async () => {
    const waiters = createWaiters();
    const wait = waiters.wait('deposits/1', at(10), 20);
    waiters.moved('deposits/1', at(9));
    expect(await wait).toBe(false);
    expect(waiters.keys()).toEqual([]);
  });

  it('do not take another projection, or another version, for theirs', async () => {
    const waiters = createWaiters();
    const wait = waiters.wait('deposits/1', at(1), 20);
    waiters.moved('deposits/2', at(5));
    waiters.moved('payments/1', at(5));
    expect(await wait).toBe(false);
  });
});
