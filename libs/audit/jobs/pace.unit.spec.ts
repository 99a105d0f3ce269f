import { performance } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { createPace } from './pace.ts';

const WORKED_MS = 10;
/** Somebody else's work has the rest: not even a tenth is taken from it. */
const AT_LEAST_MS = WORKED_MS * 9;

const work = (): void => {
  const until = performance.now() + WORKED_MS;
  while (performance.now() < until);
};

it('Whoever verifies beside others pauses nine times as long as it worked, as long as they are busy', async () => {
  const breathe = createPace();
  let isOver = false;
  const others = (async () => {
    while (!isOver) await turn();
  })();
  for (let pieces = 0; pieces < 3; pieces++) {
    work();
    const since = performance.now();
    await breathe();
    expect(performance.now() - since).toBeGreaterThanOrEqual(AT_LEAST_MS);
  }
  isOver = true;
  await others;
});
