import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '#read-models/testing';
import { databasePerFile } from '../../test/support/with-database.ts';
import { firstKey, type RunningApp, runApp } from './testing/run-app.ts';

const OPERATOR_TOKEN = 'an-operator-of-forgotten-events';
const database = databasePerFile();
let dataDir: string;
let app: RunningApp;
let base: string;

const start = async (): Promise<void> => {
  app = runApp({ DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: '0', OPERATOR_TOKEN });
  base = (await app.url) ?? `the app ended: ${app.err()}`;
};

const stop = async (): Promise<void> => {
  app.signal('SIGTERM');
  await app.ended;
};

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'forgotten events '));
  await start();
}, 60_000);

afterAll(async () => {
  await stop();
  await rm(dataDir, { recursive: true, force: true });
});

const call = async (method: string, path: string, headers: Record<string, string>, body?: object) => {
  const response = await fetch(`${base}${path}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
};

const partner = async (method: string, path: string, body?: object) =>
  call(method, path, { 'x-api-key': await firstKey(dataDir) }, body);

const operator = (method: string, path: string, body: object) =>
  call(method, path, { authorization: `Bearer ${OPERATOR_TOKEN}` }, body);

const acceptable = async (): Promise<number> => {
  const player = { entity_id: 1, gambler_ref: 'alice', phone: '+15550100' };
  await operator('PUT', '/operator/players', { ...player, kyc: 'verified' });
  const { body } = await partner('POST', '/casino/deposit_address', { ...player, currency: 'BTC', amount: 100 });
  const id = Number(body.deposit_id);
  await operator('POST', '/engine/simulate', { deposit_id: id, scenario: 'paid' });
  await eventually(
    async () => (await partner('GET', `/casino/deposit/${id}`)).body,
    ({ acceptable, status }) => acceptable && status === 'Confirmed',
  );
  return id;
};

it('a decision that was taken off the history while nothing ran is told at the next start, and not made again', async () => {
  const [id, other] = [await acceptable(), await acceptable()];
  expect(await partner('POST', `/casino/deposit/${id}/accept`, {})).toMatchObject({ status: 200 });
  await eventually(
    async () => (await database.pool.query('SELECT decision FROM deposits WHERE id = $1', [id])).rows[0]?.decision,
    (decision) => decision === 'accepted',
  );
  await stop();
  await database.pool.query(
    "ALTER TABLE events DISABLE TRIGGER USER; DELETE FROM events WHERE stream = 'deposit-" +
      `${id}' AND revision = (SELECT max(revision) FROM events WHERE stream = 'deposit-${id}')`,
  );
  await start();
  const alarms = await eventually(
    async () => (await call('GET', '/health/ready', {})).body.alarms ?? [],
    (told: string[]) => told.length > 0,
  );
  expect(alarms).toEqual([expect.stringContaining(`stream deposit-${id}: it ends before revision`)]);
  expect(app.out()).toMatch(/"level":60.*"alert":"broken_history"/);
  expect(await partner('POST', `/casino/deposit/${id}/accept`, {})).toMatchObject({ status: 500 });
  expect(await partner('POST', `/casino/deposit/${other}/accept`, {})).toMatchObject({ status: 200 });
}, 60_000);
