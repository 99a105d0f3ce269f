import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endsWithin } from '../pause/index.ts';
import { EmbeddedPostgresError, refuseDataDir } from './error.ts';
import { freePort } from './free-port.ts';
import { guardOver } from './guard.ts';
import type { Layout } from './layout.ts';
import { openLogFile } from './log-file.ts';
import { markOf } from './mark.ts';
import { programOf } from './package.ts';
import type { Programs } from './programs.ts';
import { spawnAs } from './run.ts';
import { dataPath } from './working-directory.ts';

export type Postmaster = {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly port: number;
  readonly unguard: () => void;
};

const bindAttempts = 5;

export type Settings = Readonly<Record<string, string | number>>;

/** The error of a statement belongs to the client that sent it, and its text may hold a partner's data. */
const settingsOf = (port: number, mark: string): Settings => ({
  listen_addresses: '127.0.0.1',
  port,
  unix_socket_directories: '',
  cluster_name: mark,
  max_connections: 200,
  shared_buffers: '128MB',
  fsync: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
});

const isReady = (layout: Layout, pid: number): boolean => {
  try {
    const lines = readFileSync(join(layout.data, 'postmaster.pid'), 'utf8').split('\n');
    return Number(lines[0]) === pid && lines[7]?.startsWith('ready') === true;
  } catch {
    return false;
  }
};

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/** Without a limit: after a crash the recovery takes the time that it takes. */
const untilReady = async (child: ChildProcess, pid: number, layout: Layout, log: (message: string) => void) => {
  let nextWord = Date.now() + 5_000;
  while (!isReady(layout, pid)) {
    if (hasEnded(child)) return false;
    await delay(5);
    if (Date.now() > nextWord) {
      log(`Postgres is still recovering ${layout.dataDir}`);
      nextWord += 5_000;
    }
  }
  return true;
};

const explain = (layout: Layout, written: string): EmbeddedPostgresError => {
  if (written.includes('No space left on device')) return refuseDataDir(layout.dataDir, 'is on a full disk');
  const other = /lock file "postmaster\.pid" already exists[\s\S]*?\(PID (\d+)\)/.exec(written);
  if (other) return refuseDataDir(layout.dataDir, `is in use by another Postgres, process ${other[1]}`);
  const reason = /(?:FATAL|PANIC):\s+(.*)/.exec(written)?.[1] ?? 'no reason given';
  return new EmbeddedPostgresError(`Postgres does not start in DATA_DIR ${layout.dataDir}: ${reason} (${layout.log})`);
};

type Attempt = Postmaster | 'port taken';

export type Launch = {
  readonly log: (message: string) => void;
  /** Beside the house's own, or instead of them. */
  readonly settings: Settings;
  /** Held by Postgres and its children too, for as long as one of them works on the files. */
  readonly lifeline: number | undefined;
};

const attempt = async (programs: Programs, layout: Layout, { log, settings, lifeline }: Launch): Promise<Attempt> => {
  const port = await freePort();
  const all = { ...settingsOf(port, markOf(layout.data)), ...settings };
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const file = openLogFile(layout);
  try {
    const command = [programOf(programs.native, 'postgres'), '-D', dataPath(layout.data), ...options];
    const stdio: ('ignore' | number)[] = ['ignore', file.descriptor, file.descriptor, lifeline ?? 'ignore'];
    const child = spawnAs(programs.account, command, { cwd: layout.data, stdio, detached: true });
    const failed = once(child, 'error').then(([error]) => Promise.reject(error));
    await Promise.race([once(child, 'spawn'), failed]);
    const pid = child.pid ?? 0;
    const unguard = guardOver(programs.account, pid);
    if (await untilReady(child, pid, layout, log)) return { child, pid, port, unguard };
    unguard();
    if (/could not bind IPv4 address .*: Address already in use/.test(file.written())) return 'port taken';
    throw explain(layout, file.written());
  } finally {
    file.close();
  }
};

/** Between the look for a free port and its use another process can take it: then the next one is tried. */
export const startPostmaster = async (programs: Programs, layout: Layout, launch: Launch): Promise<Postmaster> => {
  for (let count = 0; count < bindAttempts; count++) {
    const started = await attempt(programs, layout, launch);
    if (started !== 'port taken') return started;
  }
  throw new EmbeddedPostgresError('no free port on 127.0.0.1 for Postgres: end what takes them all');
};

/** Fast shutdown: open transactions are rolled back and everything is written. The harder ways are for a hung disk. */
const manners: [NodeJS.Signals, number][] = [
  ['SIGINT', 30_000],
  ['SIGQUIT', 10_000],
];

export const stopPostmaster = async ({ child, unguard }: Postmaster): Promise<void> => {
  const ended = hasEnded(child) ? Promise.resolve() : once(child, 'exit');
  for (const [signal, milliseconds] of manners) {
    child.kill(signal);
    if (await endsWithin(ended, milliseconds)) return unguard();
  }
  child.kill('SIGKILL');
  await ended;
  unguard();
};
