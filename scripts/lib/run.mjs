import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { root } from './project.mjs';

export const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

export const codeOf = (code, signal) => code ?? 128 + (constants.signals[signal] ?? 0);

/**
 * Runs a program to its end and gives its exit code. This process outlives it and hands every signal on. `started`
 * gets the child.
 */
export const run = (program, args, { started = () => undefined, ...options } = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, stdio: 'inherit', ...options });
    child.once('spawn', () => started(child));
    const handOn = (signal) => child.kill(signal);
    for (const signal of signals) process.on(signal, handOn);
    const done = () => {
      for (const signal of signals) process.off(signal, handOn);
    };
    child.on('error', (error) => {
      done();
      reject(error);
    });
    child.on('close', (code, signal) => {
      done();
      resolve(codeOf(code, signal));
    });
  });
