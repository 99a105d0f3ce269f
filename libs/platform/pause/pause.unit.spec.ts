import { EventEmitter, getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import {
  createPause,
  createWaker,
  endsWithin,
  eventWithin,
  growingPause,
  keepTrying,
  whenAborted,
  withinTime,
} from './index.ts';

const LONG_MS = 60_000;

const msOf = async (work: () => Promise<void>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

describe('a pause', () => {
  it('is cut short, and is not by a call that came before it', async () => {
    const { end, wait } = createPause();
    const waiting = wait(LONG_MS);
    end();
    await waiting;
    end();
    expect(await msOf(() => wait(50))).toBeGreaterThan(40);
  });
});

describe('a waker', () => {
  it('ends the wait under way, or the next one, and no more than one', async () => {
    const { wake, wait } = createWaker();
    const waiting = wait(LONG_MS);
    wake();
    await waiting;
    wake();
    wake();
    await wait(LONG_MS);
    expect(await msOf(() => wait(50))).toBeGreaterThan(40);
  });
});

describe('a pause that grows', () => {
  it('doubles up to its bound, and chance takes off no more than its share', () => {
    const exact = growingPause({ firstMs: 50, mostMs: 300, scatter: 0 });
    expect([0, 1, 2, 3, 2_000].map(exact)).toEqual([50, 100, 200, 300, 300]);
    const scattered = Array.from({ length: 200 }, () => growingPause({ firstMs: 100, scatter: 0.2 })(0));
    expect(Math.min(...scattered)).toBeGreaterThanOrEqual(80);
    expect(Math.max(...scattered)).toBeLessThanOrEqual(100);
    expect(new Set(scattered).size).toBeGreaterThan(100);
  });
});

describe('work that is tried again', () => {
  const never = new AbortController().signal;

  it('goes on until it succeeds, and what got somewhere has not failed before', async () => {
    const pauses: number[] = [];
    const onTrouble = (_: unknown, pauseMs: number): unknown => pauses.push(pauseMs);
    let tries = 0;
    const work = async (onProgress: () => void): Promise<string> => {
      tries += 1;
      if (tries === 3) onProgress();
      if (tries < 5) throw new Error('not now');
      return 'done';
    };
    expect(await keepTrying({ signal: never, firstMs: 1, scatter: 0, onTrouble }, work)).toBe('done');
    expect(pauses).toEqual([1, 2, 1, 2]);
  });

  it('ends between two tries when it is told to, and says nothing of a failure that comes with that', async () => {
    const stopping = new AbortController();
    const { signal } = stopping;
    const told: unknown[] = [];
    const onTrouble = (error: unknown): void => {
      told.push(error);
      stopping.abort();
    };
    const fail = () => Promise.reject(new Error('not now'));
    expect(await keepTrying({ signal, firstMs: LONG_MS, onTrouble }, fail)).toBeUndefined();
    expect(told).toEqual([new Error('not now')]);
    const over = new AbortController();
    const cutOff = async () => {
      over.abort();
      throw new Error('cut off');
    };
    expect(await keepTrying({ signal: over.signal, onTrouble }, cutOff)).toBeUndefined();
    expect(told).toHaveLength(1);
  });
});

describe('a time limit', () => {
  it('tells whether work ended in time, and passes on how it failed', async () => {
    const forEver = new Promise(() => undefined);
    expect([await endsWithin(Promise.resolve(), LONG_MS), await endsWithin(forEver, 5)]).toEqual([true, false]);
    await expect(withinTime(forEver, 5)).rejects.toThrow('no answer within 5 ms');
    await expect(withinTime(Promise.reject(new Error('broken')), LONG_MS)).rejects.toThrow('broken');
  });
});

describe('a wait for an event', () => {
  it('ends with the event, the time or the signal, and leaves nothing behind', async () => {
    const [bell, stopping] = [new EventEmitter(), new AbortController()];
    const { signal } = stopping;
    const rung = eventWithin(bell, 'ring', LONG_MS, signal);
    bell.emit('ring');
    await rung;
    expect(await msOf(() => eventWithin(bell, 'ring', 50, signal))).toBeGreaterThan(40);
    expect([bell.listenerCount('ring'), getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
    const told = eventWithin(bell, 'ring', LONG_MS, signal);
    stopping.abort();
    await Promise.all([told, eventWithin(bell, 'ring', LONG_MS, signal), whenAborted(signal)]);
    expect(bell.listenerCount('ring')).toBe(0);
  });
});
