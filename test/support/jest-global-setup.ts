import { globSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Config } from '@jest/types';
// By its path: jest loads this file itself, and would look for what `#platform` is in a build.
import { startEmbeddedPostgres } from '../../libs/platform/embedded-postgres/index.ts';
import { keepForTeardown, tearDown } from './jest-global-teardown.ts';

const specs = (rootDir: string): string[] =>
  globSync('{apps,libs,test,bench}/**/*.spec.ts', { cwd: rootDir }).map((file) => resolve(rootDir, file));

const patternsOf = ({ testPathPatterns }: Config.GlobalConfig): RegExp[] =>
  testPathPatterns.patterns.map((pattern) => new RegExp(pattern, 'i'));

/** Unit specs alone are not kept waiting for a database. */
const needsDatabase = (config: Config.GlobalConfig): boolean => {
  const patterns = patternsOf(config);
  return specs(config.rootDir)
    .filter((spec) => patterns.length === 0 || patterns.some((pattern) => pattern.test(spec)))
    .some((spec) => !spec.endsWith('.unit.spec.ts'));
};

/** One Postgres for the whole run, in a directory of its own, unless TEST_DATABASE_URL names another. */
export default async (config: Config.GlobalConfig): Promise<void> => {
  if (process.env.TEST_DATABASE_URL || !needsDatabase(config)) return;
  const dataDir = await mkdtemp(join(tmpdir(), 'cointill-test-'));
  const clear = (): void => rmSync(dataDir, { recursive: true, force: true });
  const postgres = await startEmbeddedPostgres({ dataDir }).catch((error: unknown) => {
    clear();
    throw error;
  });
  keepForTeardown(() => postgres.stop().then(clear));
  process.env.TEST_DATABASE_URL = postgres.url;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // A Ctrl-C comes twice, from the terminal and from npm: the second must not cut the end short.
    process.on(signal, () => void tearDown().finally(() => process.exit(1)));
  }
};
