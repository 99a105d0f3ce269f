import { type ChildProcess, spawn } from 'node:child_process';

/** Ends a server when this process is gone, however it went: the pipe closes, the shell reads the end of it. */
export const guard = (server: ChildProcess): void => {
  if (server.pid === undefined) return;
  const guarding = spawn('sh', ['-c', 'read -r _; kill -9 "$0"', String(server.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  server.once('exit', () => guarding.kill('SIGKILL'));
};
