import { type ChildProcess, spawn } from 'node:child_process';
import { reasonOf } from '../reason/index.ts';
import type { Account } from './account.ts';

export type Outcome = { readonly code: number | null; readonly output: string };

/** Nothing of the caller's locale, time zone or PG* variables may reach Postgres. */
const environment = (): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' });

export type Placing = {
  readonly cwd: string;
  readonly stdio: ('ignore' | 'pipe' | number)[];
  /** In a session of its own a Ctrl-C on the terminal does not reach it. */
  readonly detached?: boolean;
};

export const spawnAs = (account: Account, command: readonly string[], placing: Placing): ChildProcess => {
  const [program = '', ...args] = [...account.prefix, ...command];
  return spawn(program, args, { ...account.identity, ...placing, env: environment() });
};

const collected = (child: ChildProcess): Promise<Outcome> =>
  new Promise((resolve) => {
    let output = '';
    const collect = (chunk: Buffer): void => {
      output += chunk.toString('utf8');
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.on('error', (error) => resolve({ code: null, output: error.message }));
    child.on('close', (code) => resolve({ code, output }));
  });

/** Runs a command to its end; one that could not be started at all has the code null and the reason as its output. */
export const runAs = async (account: Account, command: readonly string[], cwd: string): Promise<Outcome> => {
  try {
    return await collected(spawnAs(account, command, { cwd, stdio: ['ignore', 'pipe', 'pipe'] }));
  } catch (error) {
    // A user that cannot be switched to fails at once, not by an event.
    return { code: null, output: reasonOf(error) };
  }
};
