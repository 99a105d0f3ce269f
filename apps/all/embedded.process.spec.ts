import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '#read-models/testing';
import { type RunningApp, runApp } from './testing/run-app.ts';

const token = 'an-operator-token-of-tests-1';
let dataDir: string;
let app: RunningApp | undefined;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'embedded '));
});

afterEach(async () => {
  // Not SIGKILL: its Postgres would outlive it for a moment, and write into the directory while it is removed.
  app?.signal('SIGTERM');
  await app?.ended;
  await rm(dataDir, { recursive: true, force: true });
});

const start = async (): Promise<string> => {
  app = runApp({ DATA_DIR: dataDir, PORT: '0', OPERATOR_TOKEN: token });
  const url = await app.url;
  if (!url) throw new Error(`the app ended: ${app.err()}`);
  return url;
};

const postgresPid = (): number => {
  const [file] = globSync('**/postmaster.pid', { cwd: dataDir });
  return Number(readFileSync(join(dataDir, file ?? 'none'), 'utf8').split('\n')[0]);
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('the app on its own Postgres', () => {
  it('serves, takes Postgres with it when it stops, and finds everything again', async () => {
    const first = await start();
    const ready = await fetch(`${first}/health/ready`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      expect.not.objectContaining({ warnings: expect.anything() }),
    ]);
    const pid = postgresPid();
    expect(isAlive(pid)).toBe(true);
    app?.signal('SIGINT');
    expect(await app?.ended).toEqual({ code: 0, signal: null });
    expect(isAlive(pid)).toBe(false);

    await start();
    expect(app?.out()).not.toContain('first start');
  });

  it('builds its read models anew, which are its own, beside history, which is not', async () => {
    const url = await start();
    const ask = async (path: string, method = 'GET') =>
      (
        await fetch(`${url}/operator/projections${path}`, { method, headers: { authorization: `Bearer ${token}` } })
      ).json();
    expect(await ask('/deposits/rebuild', 'POST')).toEqual({ name: 'deposits', state: 'rebuilding' });
    await eventually(
      async () => JSON.stringify(await ask('')),
      (text) => !text.includes('rebuilding'),
    );
    expect(app?.out()).not.toMatch(/"level":[56]0/);
  });

  it('ends loudly when that Postgres dies', async () => {
    await start();
    process.kill(postgresPid(), 'SIGKILL');
    expect(await app?.ended).toEqual({ code: 1, signal: null });
    expect(app?.out()).toMatch(/"level":60.*Postgres in .* ended by itself/);
  });
});
