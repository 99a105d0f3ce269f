import type { Account } from './account.ts';
import { spawnAs } from './run.ts';

const script = 'read -r done || kill -INT "$1"';

/**
 * A shell that waits on a pipe from this process. When the process is killed the pipe ends, and the shell asks
 * Postgres to shut down. Best effort: what it misses is found at the next start.
 */
export const guardOver = (account: Account, pid: number): (() => void) => {
  const shell = spawnAs({ ...account, prefix: [] }, ['/bin/sh', '-c', script, 'sh', String(pid)], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  shell.on('error', () => undefined);
  shell.stdin?.on('error', () => undefined);
  shell.unref();
  return () => shell.stdin?.end('done\n');
};
