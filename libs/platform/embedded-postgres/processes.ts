import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

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
