import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll } from '@jest/globals';
import { databasePerFile } from '../../../test/support/with-database.ts';
import { firstKey, type RunningApp, runApp } from './run-app.ts';

type Settings = Readonly<Record<string, string>>;

type Sent = { readonly headers?: Readonly<Record<string, string>>; readonly body?: object | undefined };

/** The whole app as a process of its own, on a database and in a directory of its own, for all tests of a file. */
export const appPerFile = (settings: Settings & { readonly OPERATOR_TOKEN: string }) => {
  const database = databasePerFile();
  let dataDir = '';
  let app: RunningApp | undefined;
  let url = '';
  const running = (): RunningApp => {
    if (!app) throw new Error('the app does not run yet: it comes with a hook');
    return app;
  };
  const start = async (): Promise<void> => {
    app = runApp({ DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: '0', ...settings });
    url = (await app.url) ?? '';
    if (url === '') throw new Error(`the app ended: ${app.err()}`);
  };
  const stop = async (): Promise<void> => {
    app?.signal('SIGTERM');
    await app?.ended;
  };
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'cointill app '));
    database.atEnd(() => rm(dataDir, { recursive: true, force: true }));
    database.atEnd(stop);
    await start();
  }, 60_000);
  const call = async (method: string, path: string, { headers, body }: Sent = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
  return {
    database,
    get url() {
      return url;
    },
    get dataDir() {
      return dataDir;
    },
    out: () => running().out(),
    err: () => running().err(),
    start,
    stop,
    call,
    partner: async (method: string, path: string, body?: object) =>
      call(method, path, { headers: { 'x-api-key': await firstKey(dataDir) }, body }),
    operator: (method: string, path: string, body?: object) =>
      call(method, path, { headers: { authorization: `Bearer ${settings.OPERATOR_TOKEN}` }, body }),
  };
};
