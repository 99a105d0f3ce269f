import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { type RunningApp, runApp } from '../../../apps/all/testing/run-app.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database.ts';

export const TOKEN = 'the-operator-of-the-command-line-tests';

/** A whole Cointill for the tests of a file, with an admin's token. */
type RunningService = { readonly url: string; readonly dataDir: string };

export const serviceForFile = (settings: Readonly<Record<string, string>> = {}): RunningService => {
  let [database, dataDir]: [FreshDatabase | undefined, string] = [undefined, ''];
  let app: RunningApp | undefined;
  let url = '';
  beforeAll(async () => {
    database = await freshDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'cli-service-'));
    app = runApp({
      ...{ DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: '0', ENGINE: 'simulated', LOG_LEVEL: 'error' },
      ...{ OPERATOR_TOKEN: TOKEN, ...settings },
    });
    const listening = await app.url;
    if (listening === undefined) throw new Error(`the app ended: ${app.err()}`);
    url = listening;
  }, 60_000);
  afterAll(async () => {
    app?.signal('SIGTERM');
    await app?.ended;
    await rm(dataDir, { recursive: true, force: true });
    await database?.drop();
  });
  return {
    get url() {
      return url;
    },
    get dataDir() {
      return dataDir;
    },
  };
};
