import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createLacked } from './lacked.ts';
import type { EventMark } from './port.ts';
import type { Position } from './position.ts';

const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;

const markOf = (id: string): EventMark => ({ stream: 'deposit-1', revision: 0, position: '1' as Position, id });

const opened = () => {
  const [held, asked] = [new Set<string>(), [] as string[]];
  const state = { forgotten: 0, lacked: 0 };
  const store = {
    holds: async ({ id }: EventMark) => {
      asked.push(id);
      return held.has(id);
    },
    forget: () => {
      state.forgotten += 1;
    },
  };
  const lacked = createLacked(store, () => {
    state.lacked += 1;
  });
  const askedWithin = async (ms: number): Promise<number> => {
    asked.length = 0;
    await jest.advanceTimersByTimeAsync(ms);
    return asked.length;
  };
  return { ...lacked, held, state, askedWithin };
};

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

describe('What the log was found to lack', () => {
  it('is asked for until it is there again, and then never more', async () => {
    const { tell, held, state, askedWithin } = opened();
    tell(markOf('one'));
    expect(await askedWithin(3_000)).toBeGreaterThan(2);
    held.add('one');
    await askedWithin(3_000);
    expect(state.forgotten).toBe(1);
    expect(await askedWithin(HOUR)).toBe(0);
  });

  it('is asked for ever more seldom, and at once where something else is lacked too', async () => {
    const { tell, held, state, askedWithin, end } = opened();
    tell(markOf('one'));
    await askedWithin(HOUR);
    expect(await askedWithin(HOUR)).toBeLessThan(HOUR / 2_000);
    held.add('one');
    tell(markOf('another'));
    await askedWithin(1_000);
    expect(state.forgotten).toBe(1);
    end();
  });

  it('is given up after a week: that log does not come back', async () => {
    const { tell, state, askedWithin } = opened();
    tell(markOf('one'));
    await askedWithin(WEEK + HOUR);
    expect(await askedWithin(HOUR)).toBe(0);
    expect(state.forgotten).toBe(0);
  });

  it('is news once, however often it is told, and given up after a week from then', async () => {
    const { tell, state, askedWithin } = opened();
    for (let hours = 0; hours < WEEK / HOUR + 2; hours += 1) {
      tell(markOf('one'));
      await askedWithin(HOUR);
    }
    expect(await askedWithin(HOUR)).toBe(0);
    expect(state.lacked).toBe(1);
  });

  it('is not asked for once the log is closed', async () => {
    const { tell, askedWithin, end } = opened();
    tell(markOf('one'));
    await askedWithin(1_000);
    end();
    expect(await askedWithin(HOUR)).toBe(0);
  });
});
