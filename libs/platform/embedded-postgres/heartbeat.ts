import { open } from 'node:fs/promises';
import { isGone } from './is-gone.ts';
import { BEAT_MS } from './judgement.ts';

/** Written and not only stamped: then the time is that of the file system, also of one on another machine. */
const touch = async (path: string, text: string): Promise<boolean> => {
  const handle = await open(path, 'r+');
  try {
    if ((await handle.readFile('utf8')) !== text) return false;
    await handle.write(text, 0);
    return true;
  } finally {
    await handle.close();
  }
};

/** A full disk or an error of the network takes no claim away. */
const isStillThere = (path: string, text: string): Promise<boolean> =>
  touch(path, text).catch((error: unknown) => !isGone(error));

/** Touches a claim until it is stopped; tells once when somebody has taken it away. */
export const keepTouching = (path: string, text: string, onGone: () => void): (() => void) => {
  let [stopped, timer]: [boolean, NodeJS.Timeout | undefined] = [false, undefined];
  const beat = async (): Promise<void> => {
    const there = await isStillThere(path, text);
    if (stopped) return;
    if (there) next();
    else onGone();
  };
  const next = (): void => {
    timer = setTimeout(() => void beat(), BEAT_MS).unref();
  };
  next();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
};
