import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { databasePerFile } from '../../test/support/with-database.ts';
import { firstKey, runApp } from './testing/run-app.ts';

const database = databasePerFile();
let dataDir: string;
let base: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'running '));
});

afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** One app for the tests of a group. */
const appWith = (settings: Readonly<Record<string, string>>): void => {
  let end: () => Promise<unknown>;
  beforeAll(async () => {
    const app = runApp({ DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: '0', ...settings });
    end = () => {
      app.signal('SIGTERM');
      return app.ended;
    };
    const url = await app.url;
    if (!url) throw new Error(`the app ended: ${app.err()}`);
    base = url;
  }, 60_000);
  afterAll(() => end());
};

const askFor = async (phone: string) => {
  const headers = { 'x-api-key': await firstKey(dataDir), 'content-type': 'application/json' };
  const body = JSON.stringify({ entity_id: 1, gambler_ref: 'alice', phone, currency: 'BTC', amount: 100 });
  const answer = await fetch(`${base}/casino/deposit_address`, { method: 'POST', headers, body });
  return [answer.status, await answer.json()];
};

describe('a running app', () => {
  appWith({});

  it('tells the metrics that their page names, and no other of its own', async () => {
    const text = await (await fetch(`${base}/metrics`)).text();
    const told = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name);
    const page = await readFile(join(import.meta.dirname, '../../docs/reference/metrics.md'), 'utf8');
    // Those of chains are told with ENGINE=live alone.
    const named = [...page.matchAll(/^\| `(?!chain_)([a-z_]+)` \|/gm)].map(([, name = '']) => name);
    expect(told.filter((name) => !/^(process|nodejs)_/.test(name)).toSorted()).toEqual(named.toSorted());
  });

  it('is ready with its database, its log and its bus', async () => {
    const response = await fetch(`${base}/health/ready`);
    const checks = ['database', 'event log', 'bus', 'numbers'].map((name) => ({ name, ok: true }));
    const simulated = ['payments and screening', 'rates', 'KYC', 'SMS', 'e-mail', 'addresses'];
    const warnings = [expect.stringContaining('may change history (audit_trail, audit_seals, events)')];
    expect([response.status, await response.json()]).toEqual([200, { status: 'ready', checks, warnings, simulated }]);
  });

  it('takes any text for a phone', async () => {
    expect(await askFor('call me')).toMatchObject([200, { status: 'kyc_required' }]);
  });
});

describe('a running app that is strict about phones', () => {
  appWith({ PHONE_CHECK: 'strict' });

  it.each(['call me', '070-000 00 01'])('refuses %s', async (phone) => {
    const refused = { success: false, error: { message: expect.stringContaining('"phone"') } };
    expect(await askFor(phone)).toMatchObject([400, refused]);
  });

  it('takes +46 (0)70-000 00 01', async () => {
    expect(await askFor('+46 (0)70-000 00 01')).toMatchObject([200, { status: expect.stringMatching(/^kyc_/) }]);
  });
});
