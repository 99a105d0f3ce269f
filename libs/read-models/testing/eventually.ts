import { setTimeout as delay } from 'node:timers/promises';

/** Asks until it is so; fails with what was asked last. */
export const eventually = async <T>(ask: () => Promise<T>, isSo: (answer: T) => boolean, withinMs = 15_000) => {
  const end = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (isSo(answer)) return answer;
    if (performance.now() > end) throw new Error(`still ${JSON.stringify(answer)} after ${withinMs} ms`);
    await delay(10);
  }
};
