import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';

export type Seen = { readonly pid: number; readonly command: string };

const commandOf = (pid: string): Seen[] => {
  try {
    return [{ pid: Number(pid), command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') }];
  } catch {
    return [];
  }
};

const fromProc = (): Seen[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(commandOf);

const fromPs = (): Seen[] =>
  execFileSync('ps', ['-axww', '-o', 'pid=,command='], { encoding: 'utf8', maxBuffer: 2 ** 26 })
    .split('\n')
    .map((line) => ({ pid: Number.parseInt(line, 10), command: line.trim().replace(/^\d+\s+/, '') }));

export const allProcesses = (): Seen[] => (process.platform === 'linux' ? fromProc() : fromPs());

/** Of a program that may change its user the real one is still whose it is: all of them count. */
export const usersOf = (pid: number): number[] => {
  try {
    const [, ids = ''] = /^Uid:\s+(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return ids.split(/\s+/).map(Number);
  } catch {
    return [];
  }
};

/** Undefined where this process may not know. */
export const worksAt = (pid: number, directory: string): boolean | undefined => {
  try {
    const [there, here] = [`/proc/${pid}/cwd`, directory].map((path) => statSync(path, { bigint: true }));
    return there?.dev === here?.dev && there?.ino === here?.ino;
  } catch {
    return undefined;
  }
};
