import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type FreshDatabase, freshDatabase } from '../../test/support/database.ts';
import { firstKey, firstWords, type RunningApp, runApp } from './testing/run-app.ts';

let database: FreshDatabase;
let dataDir: string;
let running: RunningApp[];

beforeEach(async () => {
  database = await freshDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'data dir '));
  running = [];
});

afterEach(async () => {
  for (const app of running) app.signal('SIGKILL');
  await Promise.all(running.map(({ ended }) => ended));
  await rm(dataDir, { recursive: true, force: true });
  await database.drop();
});

const run = (settings: Record<string, string> = {}): RunningApp => {
  const app = runApp({ DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: '0', ...settings });
  running.push(app);
  return app;
};

const started = async (settings?: Record<string, string>): Promise<RunningApp & { base: string }> => {
  const app = run(settings);
  const base = await app.url;
  if (!base) throw new Error(`the app ended: ${app.err()}`);
  return { ...app, base };
};

const stop = async (app: RunningApp) => {
  app.signal('SIGTERM');
  return app.ended;
};

const FIRST_WORDS = 'first-start.txt';

describe('the first start', () => {
  it('prints the address and the docs page, and keeps a key and the lines of the main job, which can be pasted at once', async () => {
    const { base, out } = await started();
    expect(out()).toContain(`Docs      ${base}/docs\nConsole   ${base}/console/`);
    const pasted = [...(await firstWords(dataDir)).matchAll(/^ {2}((?:curl |QUOTE=|echo |until ).+)$/gm)];
    const lines = pasted.map(([, line]) => line).join('\n');
    const { stdout } = await promisify(execFile)('bash', ['-euc', lines]);
    const [verified, created, , accepted] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(verified).toMatchObject({ kyc: 'verified' });
    expect(created).toMatchObject({ status: 'ok', deposit_id: 1, address: expect.any(String) });
    expect(accepted).toMatchObject({ deposit_id: 1, decision: 'accepted' });
  }, 60_000);

  it('is followed by starts that say only where they are, and where the key still works', async () => {
    const first = await started();
    const key = await firstKey(dataDir);
    expect(first.out()).toContain(`are in ${join(dataDir, FIRST_WORDS)}, for its owner alone`);
    expect((await stat(join(dataDir, FIRST_WORDS))).mode & 0o777).toBe(0o600);
    expect(first.out()).not.toContain(key);
    expect(await stop(first)).toEqual({ code: 0, signal: null });
    const second = await started();
    const warned = /^\{.*the service's own database role may change history.*\n/m;
    expect(second.out().replace(warned, '').trim().split('\n')).toHaveLength(4);
    const described = await fetch(`${second.base}/casino/integration/key`, { headers: { 'X-API-Key': key } });
    expect(described.status).toBe(200);
  });

  it('shows its key to one of two instances that begin together, and both let it in', async () => {
    const both = await Promise.all([started(), started()]);
    const keys = [...(await firstWords(dataDir)).matchAll(/^ {2}(\d+:\S+)$/gm)].map(([, key]) => key);
    expect(keys).toHaveLength(1);
    for (const { base } of both) {
      const response = await fetch(`${base}/casino/integration/key`, { headers: { 'X-API-Key': keys[0] ?? '' } });
      expect(response.status).toBe(200);
    }
  });
});

describe('a running app', () => {
  it('is alive but not ready while its database is away, and ready again after', async () => {
    const { base, ended } = await started();
    await database.drop();
    const away = await fetch(`${base}/health/ready`);
    expect([away.status, (await fetch(`${base}/health/live`)).status]).toEqual([503, 200]);
    expect(await away.json()).toMatchObject({
      status: 'not ready',
      checks: expect.arrayContaining([{ name: 'database', ok: false, detail: expect.any(String) }]),
    });
    const stillRuns = await Promise.race([ended, new Promise((resolve) => setTimeout(() => resolve('runs'), 300))]);
    expect(stillRuns).toBe('runs');
  });

  it.each([
    ['EVENTSTORE_URL', { EVENT_STORE: 'eventstoredb', EVENTSTORE_URL: 'esdb://me:hunter2@127.0.0.1:1?tls=false' }],
    ['KAFKA_BROKERS', { BUS: 'kafka', KAFKA_BROKERS: '127.0.0.1:1' }],
  ])('that misses a server starts all the same, and says that it is the one of %s', async (setting, settings) => {
    const app = await started(settings);
    while (!app.out().includes(`that ${setting} names does not answer`)) await later(50);
    expect((await fetch(`${app.base}/health/live`)).status).toBe(200);
    await stop(app);
    expect(app.out() + app.err()).not.toContain('hunter2');
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('stops cleanly at %s', async (signal) => {
    const app = await started();
    app.signal(signal);
    expect(await app.ended).toEqual({ code: 0, signal: null });
    expect(app.err()).toBe('');
  });

  it('stops when the process that started it is gone', async () => {
    const app = await started();
    app.disconnect();
    expect(await app.ended).toEqual({ code: 0, signal: null });
  });
});

describe('a start that cannot succeed', () => {
  const failure = async (settings: Record<string, string>): Promise<string> => {
    const app = run(settings);
    expect(await app.ended).toEqual({ code: 1, signal: null });
    expect(app.out()).toBe('');
    return app.err();
  };

  it('names a taken port', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => holder.once('listening', resolve));
    const { port } = holder.address() as { port: number };
    expect(await failure({ PORT: String(port) })).toBe(
      `PORT ${port} on 127.0.0.1 is taken by another process: set PORT\n`,
    );
    holder.close();
  });

  it('names every wrong setting, one line each', async () => {
    expect(await failure({ PORT: 'abc', BUS: 'kafka' })).toBe(
      "PORT must be a whole number from 0 to 65535, not 'abc'\n" +
        'KAFKA_BROKERS must be set when BUS is kafka, to a list like host:9092,host:9093\n',
    );
  });

  it('names an address that is not of this machine', async () => {
    expect(await failure({ HOST: '192.0.2.1' })).toBe('HOST 192.0.2.1 is not an address of this machine: set HOST\n');
  });

  it('names a database that is not there, without its password', async () => {
    expect(await failure({ DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/pay' })).toBe(
      'DATABASE_URL cannot be used: 127.0.0.1:1/pay: nothing listens there\n',
    );
    const missing = new URL(database.url);
    missing.pathname = '/no_such_database';
    expect(await failure({ DATABASE_URL: missing.href })).toMatch(
      /^DATABASE_URL cannot be used: \S+\/no_such_database: the database does not exist\n$/,
    );
  });

  it('names the database whatever is wrong with its URL', async () => {
    const { host } = new URL(database.url);
    expect(
      await failure({ DATABASE_URL: `postgres://me:hunter2@${host}/pay?sslmode=verify-full&sslrootcert=/no/such` }),
    ).toMatch(/^DATABASE_URL cannot be used: \S+\/pay: (?!.*hunter2)[^\n]*'\/no\/such'\n$/);
  });

  it('names a data directory that cannot be one', async () => {
    const file = join(dataDir, 'file');
    await writeFile(file, '');
    expect(await failure({ DATA_DIR: file })).toMatch(/^DATA_DIR .*set SECRETS_KEY or another DATA_DIR\n$/);
  });

  it('names a secrets key of another installation', async () => {
    await stop(await started({ SECRETS_KEY: 'the key of the first start, kept' }));
    expect(await failure({ SECRETS_KEY: 'the key of another installation' })).toMatch(
      /^SECRETS_KEY is not the one [^\n]*\n$/,
    );
  });
});
