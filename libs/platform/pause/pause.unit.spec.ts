import { describe, expect, it } from '@jest/globals';
import { createPause, createWaker } from './index.ts';

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
