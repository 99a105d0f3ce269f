import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Layout } from './layout.ts';
import { allProcesses } from './processes.ts';

const isForeignServer = (pid: number): boolean => {
  const command = allProcesses().find((seen) => seen.pid === pid)?.command ?? '';
  return /(^|\/)postgres\b/.test(command) && !command.includes('cointill-');
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

/**
 * Postgres itself sees through a postmaster.pid whose process is dead, and that file is its guard against children
 * that outlived it. Taken away is only what it would stumble over: a file cut short by a power loss, or a pid that by
 * now belongs to somebody else. A server that somebody started here by hand is no such stranger.
 */
export const removeMisleadingPidFile = (layout: Layout): void => {
  const file = join(layout.data, 'postmaster.pid');
  if (!existsSync(file)) return;
  const lines = readFileSync(file, 'utf8').split('\n');
  const pid = Number.parseInt(lines[0] ?? '', 10);
  const misleads = !(pid > 0) || (isAlive(pid) && !isForeignServer(pid));
  if (misleads || lines.length < 2) rmSync(file, { force: true });
};
