import { setTimeout as delay } from 'node:timers/promises';

/** Asks again until it holds; the last answer is given either way, for the case to judge. */
export const eventually = async <T>(ask: () => Promise<T>, holds: (answer: T) => boolean, withinMs = 10_000) => {
  const deadline = Date.now() + withinMs;
  let answer = await ask();
  while (!holds(answer) && Date.now() < deadline) {
    await delay(50);
    answer = await ask();
  }
  return answer;
};
