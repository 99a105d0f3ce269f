import { spawn } from 'node:child_process';
import { root } from './project.mjs';
import { codeOf, signals } from './run.mjs';

const sameWish = 1_000;

/** npm and the terminal both send a Ctrl-C on: within a moment they mean the same one. */
const oncePerWish = (action) => {
  let last = 0;
  return (signal) => {
    const now = Date.now();
    if (now - last > sameWish) action(signal);
    last = now;
  };
};

/** npm cannot send a signal when it is killed itself: then this process has another parent than before. */
const whenOrphaned = (action) => {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    action('SIGTERM');
  }, 250);
  watch.unref();
};

/** Of Linux's malloc: each of its many arenas keeps for itself what was freed in it. */
const fewArenas = { MALLOC_ARENA_MAX: '2' };

/**
 * Runs the application to its end, or until `stop` is aborted, and gives its exit code. It lives outside this terminal's
 * group, so that it gets every signal once, from here; and when this process is killed, it learns that from the channel
 * that is cut.
 */
export const supervise = (program, args, { stop } = {}) =>
  new Promise((resolve, reject) => {
    const stdio = ['ignore', 'inherit', 'inherit', 'ipc'];
    const env = { ...fewArenas, ...process.env };
    const child = spawn(program, args, { cwd: root, env, stdio, detached: true });
    const handOn = oncePerWish((signal) => child.kill(signal));
    for (const signal of signals) process.on(signal, handOn);
    stop?.addEventListener('abort', () => child.kill('SIGTERM'));
    whenOrphaned(handOn);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      for (const name of signals) process.off(name, handOn);
      resolve(codeOf(code, signal));
    });
  });
