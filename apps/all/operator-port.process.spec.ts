import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type FreshDatabase, freshDatabase } from '../../test/support/database.ts';
import { freePort } from '../../test/support/free-port.ts';
import { firstWords, type RunningApp, runApp } from './testing/run-app.ts';

const OPERATOR_TOKEN = 'an-operator-behind-a-door-of-their-own';

let database: FreshDatabase;
let dataDir: string;
let app: RunningApp;
let partners: string;
let operators: string;

beforeAll(async () => {
  database = await freshDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'doors '));
  const OPERATOR_PORT = String(await freePort());
  app = runApp({ DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: '0', OPERATOR_PORT, OPERATOR_TOKEN });
  const listening = await app.url;
  if (listening === undefined) throw new Error(`the app ended: ${app.err()}`);
  [partners, operators] = [listening, `http://127.0.0.1:${OPERATOR_PORT}`];
}, 60_000);

afterAll(async () => {
  app.signal('SIGTERM');
  await app.ended;
  await rm(dataDir, { recursive: true, force: true });
  await database.drop();
});

const headers = { Authorization: `Bearer ${OPERATOR_TOKEN}` };
const statusOf = async (door: string, path: string, method = 'GET'): Promise<number> =>
  (await fetch(`${door}${path}`, { method, headers })).status;

describe('with OPERATOR_PORT', () => {
  it.each([
    ['GET', '/operator/deposits'],
    ['GET', '/operator/projections'],
    ['GET', '/engine/simulate'],
    ['POST', '/engine/signals'],
    ['GET', '/metrics'],
    ['GET', '/docs'],
    ['GET', '/openapi.json'],
    ['GET', '/postman.json'],
  ])('%s %s is served there alone', async (method, path) => {
    expect(await statusOf(partners, path, method)).toBe(404);
    expect(await statusOf(operators, path, method)).not.toBe(404);
  });

  it.each([
    ['GET', '/casino/integration/key'],
    ['POST', '/casino/deposit_address'],
    ['GET', '/casino/deposits'],
  ])('%s %s is served to partners alone', async (method, path) => {
    expect(await statusOf(operators, path, method)).toBe(404);
    expect(await statusOf(partners, path, method)).not.toBe(404);
  });

  it('health is told at both', async () => {
    for (const door of [partners, operators])
      expect([await statusOf(door, '/health/live'), await statusOf(door, '/health/ready')]).toEqual([200, 200]);
  });

  it('each says where its things are', async () => {
    const of = async (door: string) => Object.keys(Object(await (await fetch(door)).json()));
    expect(await of(partners)).toEqual(['name', 'live', 'ready']);
    expect(await of(operators)).toEqual(['name', 'console', 'docs', 'openapi', 'postman', 'live', 'ready', 'metrics']);
  });

  it('what an operator changes holds for partners, and a deposit goes its way over both', async () => {
    const made = await fetch(`${operators}/operator/affiliates`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Aurora' }),
    });
    expect(made.status).toBe(201);
    expect(app.out()).toContain(`Operators ${operators}\nDocs      ${operators}/docs`);
    const words = await firstWords(dataDir);
    expect(words).toContain(`curl -s -X PUT ${operators}/operator/players`);
    expect(words).toContain(`curl -s ${partners}/casino/deposit_address`);
  });

  it('the document tells of both, and where the partners have theirs', async () => {
    const { paths } = (await (await fetch(`${operators}/openapi.json`)).json()) as {
      paths: Record<string, { servers?: unknown }>;
    };
    expect(paths['/casino/deposit_address']?.servers).toEqual([{ url: partners }]);
    expect(paths['/operator/deposits']).toBeDefined();
    expect(paths['/operator/deposits']?.servers).toBeUndefined();
  });

  it('a port that is taken is told by the name of its setting', async () => {
    const taken = new URL(operators).port;
    const late = runApp({ DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: '0', OPERATOR_PORT: taken });
    expect(await late.ended).toMatchObject({ code: 1 });
    expect(late.err()).toContain(`OPERATOR_PORT ${taken} on 127.0.0.1 is taken by another process: set OPERATOR_PORT`);
  });
});
