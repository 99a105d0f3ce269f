import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const swc = { ...JSON.parse(readFileSync(new URL('.swcrc', import.meta.url), 'utf8')), exclude: [], swcrc: false };
// Tests run from the sources, where a local import keeps its `.ts`.
swc.jsc.rewriteRelativeImportExtensions = false;

/**
 * Tiers by name: unit (pure), int (a real Postgres), e2e (the service over HTTP), process (the product as its users
 * start it), engine (EventStoreDB, Kafka, or a minute of kills), browser, docker (the service in containers).
 */
export default {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  testMatch: ['**/*.spec.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/', '<rootDir>/.cache/'],
  globalSetup: '<rootDir>/test/support/jest-global-setup.ts',
  globalTeardown: '<rootDir>/test/support/jest-global-teardown.ts',
  testSequencer: '<rootDir>/test/support/jest-sequencer.mjs',
  maxWorkers: Number(process.env.TEST_WORKERS ?? Math.max(2, availableParallelism() - 1)),
  testTimeout: 30_000,
};
