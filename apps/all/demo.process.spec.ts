import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type FreshDatabase, freshDatabase } from '../../test/support/database.ts';
import { type RunningApp, runApp } from './testing/run-app.ts';

const OPERATOR_TOKEN = 'an-operator-of-an-installation-without-a-demonstration';

let database: FreshDatabase;
let dataDir: string;
let app: RunningApp | undefined;

beforeEach(async () => {
  database = await freshDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'demo '));
});

const stop = async (): Promise<void> => {
  app?.signal('SIGTERM');
  await app?.ended;
};

afterEach(async () => {
  await stop();
  await rm(dataDir, { recursive: true, force: true });
  await database.drop();
});

const start = async (settings: Readonly<Record<string, string>>) => {
  await stop();
  const running = runApp({ DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: '0', OPERATOR_TOKEN, ...settings });
  app = running;
  const url = await running.url;
  if (!url) throw new Error(`the app ended: ${running.err()}`);
  const ask = async (path: string): Promise<object> => {
    const answer = await fetch(url + path, { headers: { Authorization: `Bearer ${OPERATOR_TOKEN}` } });
    return (await answer.json()) as object;
  };
  return { out: running.out, ask };
};

const simulated = ['KYC', 'SMS', 'e-mail'];

describe('a service with an engine of its own', () => {
  it('makes no accounts and no key of addresses, and says what is simulated all the same', async () => {
    const { out, ask } = await start({ ENGINE: 'external' });
    expect(out()).toContain('Simulated KYC, SMS, e-mail\n');
    expect(out()).not.toContain('Demonstration');
    expect(await ask('/operator/affiliates')).toMatchObject({ affiliates: [] });
    expect(await ask('/operator/extended-keys')).toEqual({ extended_keys: [] });
    expect(await ask('/health/ready')).toMatchObject({ status: 'ready', simulated });
    expect(await ask('/operator/installation')).toMatchObject({ simulated });
  }, 90_000);

  it('gives out nothing of a demonstration before, until DEMO asks for it again', async () => {
    await start({ ENGINE: 'simulated' });
    const real = await start({ ENGINE: 'external' });
    expect(await real.ask('/operator/extended-keys')).toEqual({ extended_keys: [] });
    const { pools } = (await real.ask('/operator/address-pool')) as { pools: { free: number }[] };
    expect(pools.map(({ free }) => free)).toEqual(pools.map(() => 0));
    const { ask, out } = await start({ ENGINE: 'external', DEMO: 'true' });
    const { extended_keys } = (await ask('/operator/extended-keys')) as { extended_keys: unknown[] };
    expect(extended_keys).toHaveLength(6);
    expect(out()).toContain('Simulated KYC, SMS, e-mail, addresses\n');
    expect(await ask('/health/ready')).toMatchObject({ simulated: [...simulated, 'addresses'] });
  }, 90_000);

  it('keeps out an instance that would play payments beside it, before it makes anything', async () => {
    const { ask } = await start({ ENGINE: 'external' });
    const another = runApp({ DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: '0', OPERATOR_TOKEN });
    expect([(await another.ended).code, another.err()]).toEqual([
      1,
      expect.stringContaining('this installation has ENGINE=external DEMO=false, this instance ENGINE=simulated'),
    ]);
    expect(await ask('/operator/affiliates')).toMatchObject({ affiliates: [] });
    expect(await ask('/operator/extended-keys')).toEqual({ extended_keys: [] });
  }, 90_000);

  it('keeps out a notifier that would follow another log, and tell nobody of its own', async () => {
    await start({ ENGINE: 'external' });
    const db = new pg.Client({ connectionString: database.url });
    await db.connect();
    await db.query("SELECT nextval('deposit_ids')");
    await db.end();
    const elsewhere = { EVENT_STORE: 'eventstoredb', EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false' };
    const notifier = runApp({ DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: '0', ...elsewhere }, 'notifier');
    try {
      expect(await notifier.url).toBeUndefined();
      expect([(await notifier.ended).code, notifier.err()]).toEqual([
        1,
        expect.stringContaining('this installation has EVENT_STORE=postgres, this instance EVENT_STORE=eventstoredb'),
      ]);
    } finally {
      notifier.signal('SIGTERM');
      await notifier.ended;
    }
  }, 90_000);

  it('ends where it finds that its installation keeps its history in another log by now', async () => {
    await start({ ENGINE: 'external' });
    const db = new pg.Client({ connectionString: database.url });
    await db.connect();
    await db.query("UPDATE installation_log SET kind = 'eventstoredb'");
    await db.end();
    const outcome = await app?.ended;
    expect([outcome?.code, app?.out()]).toEqual([1, expect.stringContaining('another_log')]);
  }, 90_000);

  it('waits for one that was killed, and no longer, and ends where it finds another engine than its own', async () => {
    await start({ ENGINE: 'simulated' });
    app?.signal('SIGKILL');
    await app?.ended;
    const begun = performance.now();
    const { ask } = await start({ ENGINE: 'external' });
    expect(performance.now() - begun).toBeLessThan(40_000);
    expect(await ask('/health/ready')).toMatchObject({ status: 'ready' });
    const db = new pg.Client({ connectionString: database.url });
    await db.connect();
    await db.query("UPDATE installation_engine SET engine = 'live'");
    await db.end();
    const outcome = await app?.ended;
    expect([outcome?.code, app?.out()]).toEqual([1, expect.stringContaining('another_engine')]);
  }, 90_000);
});
