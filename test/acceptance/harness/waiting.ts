import { setTimeout as delay } from 'node:timers/promises';

let patienceMs = 10_000;

export const patience = (): number => patienceMs;

/** For the rest of this run. */
export const bePatient = (ms: number): void => {
  patienceMs = ms;
};

/** Asks again until it holds; the last answer is given either way, for the case to judge. */
export const eventually = async <T>(ask: () => Promise<T>, holds: (answer: T) => boolean, withinMs = patience()) => {
  const deadline = Date.now() + withinMs;
  let answer = await ask();
  while (!holds(answer) && Date.now() < deadline) {
    await delay(50);
    answer = await ask();
  }
  return answer;
};
