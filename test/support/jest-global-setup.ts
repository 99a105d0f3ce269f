import { globSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '@jest/types';

// By its path: jest loads this file itself, and would look for what `#platform` is in a build.
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../libs/platform/embedded-postgres/index.ts';
import { atTeardown, isSetUp, tearDown } from './jest-global-teardown.ts';
import { makeScratch } from './scratch.ts';

/** What nobody keeps needs no disk. Tests that kill a server have one of their own, which keeps what it confirms. */
const inAHurry = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' };

const specs = (rootDir: string): string[] =>
  globSync('{apps,libs,test,bench}/**/*.spec.ts', { cwd: rootDir }).map((file) => resolve(rootDir, file));

const patternsOf = ({ testPathPatterns }: Config.GlobalConfig): RegExp[] =>
  testPathPatterns.patterns.map((pattern) => new RegExp(pattern, 'i'));

/** Unit specs are not kept waiting for a database. */
const thatNeedDatabase = (config: Config.GlobalConfig): string[] => {
  const patterns = patternsOf(config);
  return specs(config.rootDir)
    .filter((spec) => patterns.length === 0 || patterns.some((pattern) => pattern.test(spec)))
    .filter((spec) => !spec.endsWith('.unit.spec.ts'));
};

const startServers = async (scratch: string, count: number): Promise<EmbeddedPostgres[]> => {
  const started = await Promise.allSettled(
    Array.from({ length: count }, (_, place) =>
      startEmbeddedPostgres({ dataDir: join(scratch, `postgres ${place}`), settings: inAHurry }),
    ),
  );
  const servers = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failure = started.find((one) => one.status === 'rejected');
  if (!failure) return servers;
  await Promise.all(servers.map(({ stop }) => stop()));
  throw failure.reason;
};

/** A variable that every worker of the run is given. */
const lend = (name: string, value: string): void => {
  process.env[name] = value;
  atTeardown(async () => {
    delete process.env[name];
  });
};

/**
 * A Postgres for each worker, unless TEST_DATABASE_URL names some. A worker shares its own with nobody: a transaction
 * in any database of a server keeps back the readers of the log in all of them.
 */
const lendServers = async (scratch: string, count: number): Promise<void> => {
  if (process.env.TEST_DATABASE_URL) return;
  const servers = await startServers(scratch, count);
  atTeardown(async () => {
    await Promise.all(servers.map(({ stop }) => stop()));
  });
  lend('TEST_DATABASE_URL', servers.map(({ url }) => url).join(' '));
};

export default async (config: Config.GlobalConfig): Promise<void> => {
  const count = Math.min(config.maxWorkers, thatNeedDatabase(config).length);
  if (count === 0 || isSetUp()) return;
  const scratch = await makeScratch();
  atTeardown(() => rm(scratch, { recursive: true, force: true }));
  // Leaving the watch is an end without a teardown. Postgres goes by itself then.
  process.once('exit', () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));
  // What a process of the tests has compiled serves the next: some begin hundreds of times.
  lend('NODE_COMPILE_CACHE', join(scratch, 'compiled'));
  await lendServers(scratch, count).catch(async (error: unknown) => {
    await tearDown();
    throw error;
  });
};
