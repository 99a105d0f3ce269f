import { setTimeout as later } from 'node:timers/promises';
import type { RunningApp } from './run-app.ts';

/** With which an app says what it keeps. */
export const SAYS_WHAT_IS_KEPT = `--import "${new URL('say-what-is-kept.mjs', import.meta.url)}"`;

type Measure = (app: RunningApp) => Promise<number>;

const said = (word: 'kept' | 'beside'): Measure => {
  const line = new RegExp(`^${word} (\\d+)$`, 'gm');
  return async (app) => {
    const told = () => [...app.err().matchAll(line)];
    const before = told().length;
    app.signal('SIGUSR2');
    while (told().length === before) await later(20);
    return Number(told().at(-1)?.[1]) / 1_048_576;
  };
};

/** Megabytes, without its garbage. */
const keptBy = said('kept');

/** Megabytes of what is no object: what is on its way to the system, and what the system does not have back. */
export const besideObjectsOf = said('beside');

/** How much more it kept at the most, until a moment after all of it was sent. */
export const growthOf = async (app: RunningApp, send: () => Promise<unknown>): Promise<number> => {
  const from = await keptBy(app);
  let [most, end] = [0, Number.POSITIVE_INFINITY];
  void send().then(() => {
    end = performance.now() + 4_000;
  });
  for (; performance.now() < end; await later(100)) most = Math.max(most, (await keptBy(app)) - from);
  return most;
};
