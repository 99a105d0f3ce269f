import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

export type Listed = {
  readonly pid: number;
  readonly parent: number;
  readonly user: string;
  readonly command: string;
};

const line = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(.*)$/;

const parse = (text: string): Listed[] => {
  const [, pid, parent, stat, user, command] = line.exec(text) ?? [];
  // A zombie only waits to be counted by its parent.
  if (!pid || !parent || !user || !command || stat?.startsWith('Z')) return [];
  return [{ pid: Number(pid), parent: Number(parent), user, command }];
};

export const processes = (): Listed[] =>
  execFileSync('ps', ['-axww', '-o', 'pid=,ppid=,stat=,user=,command='], { encoding: 'utf8', maxBuffer: 2 ** 26 })
    .split('\n')
    .flatMap(parse);

export const isAlive = (pid: number): boolean => processes().some((listed) => listed.pid === pid);

/** For an event that sends no word: the end of a process that is not a child of this one. */
export const untilGone = async (pid: number): Promise<void> => {
  while (isAlive(pid)) await delay(20);
};

/** The shell that would shut Postgres down when its owner is killed. */
export const guardsOf = (postmaster: number): number[] =>
  processes()
    .filter(({ command }) => command.startsWith('/bin/sh -c read -r done') && command.endsWith(` ${postmaster}`))
    .map(({ pid }) => pid);
