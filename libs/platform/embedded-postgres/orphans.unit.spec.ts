import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from '@jest/globals';
import { itWhere } from '../../../test/support/jest-left-out.ts';
import { layoutOf } from './layout.ts';
import { markOf } from './mark.ts';
import { stopOrphans } from './orphans.ts';

const isRoot = process.platform === 'linux' && process.geteuid?.() === 0;
const itOnLinux = itWhere(process.platform === 'linux', 'only Linux tells where a process works');
const itAsRoot = itWhere(isRoot, 'only root of a Linux can start processes of another user');

let layout: ReturnType<typeof layoutOf>;
let started: ChildProcess[];
let told: string[];

beforeEach(() => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cointill-orphans-'));
  chmodSync(dataDir, 0o755);
  layout = layoutOf(dataDir);
  mkdirSync(layout.data, { recursive: true });
  [started, told] = [[], []];
});

afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(layout.dataDir, { recursive: true, force: true });
});

const stop = () =>
  stopOrphans(
    layout,
    () => false,
    (message) => told.push(message),
  );

/** Ends when it is asked to, and looks like a Postgres of this directory to whoever asks for its command line alone. */
const likePostgres = async (options: SpawnOptions): Promise<ChildProcess> => {
  const argv0 = `x/bin/postgres -D . -c cluster_name=${markOf(layout.data)} `;
  const child = spawn('sleep', ['60'], { argv0, stdio: 'ignore', ...options });
  started.push(child);
  await once(child, 'spawn');
  return child;
};

itOnLinux('a Postgres that works in the directory is stopped', async () => {
  const child = await likePostgres({ cwd: layout.data });
  await Promise.all([once(child, 'exit'), stop()]);
  expect([child.signalCode, told]).toEqual(['SIGINT', [expect.stringContaining(`(process ${child.pid})`)]]);
});

itOnLinux('what only looks like one, and works elsewhere, is nobody to stop', async () => {
  const child = await likePostgres({ cwd: '/' });
  await stop();
  expect([child.signalCode, told]).toEqual([null, []]);
});

itAsRoot('what is of a user whom no Postgres of this directory can have is left alone, wherever it works', async () => {
  const child = await likePostgres({ cwd: layout.data, uid: 6, gid: 12 });
  await stop();
  expect([child.signalCode, told]).toEqual([null, []]);
});

itAsRoot('what is of the user who owns the cluster is stopped', async () => {
  chownSync(layout.cluster, 6, 12);
  const child = await likePostgres({ cwd: layout.data, uid: 6, gid: 12 });
  await Promise.all([once(child, 'exit'), stop()]);
  expect(child.signalCode).toBe('SIGINT');
});
