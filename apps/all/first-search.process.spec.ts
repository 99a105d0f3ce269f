import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type FreshDatabase, freshDatabase } from '../../test/support/database.ts';
import { firstKey, type RunningApp, runApp } from './testing/run-app.ts';

const OPERATOR_TOKEN = 'an-operator-on-the-first-day';
const player = { entity_id: 1, gambler_ref: 'alice', phone: '+15550100' };

let database: FreshDatabase;
let dataDir: string;
let app: RunningApp;
let base: string;

beforeAll(async () => {
  database = await freshDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'first search '));
  app = runApp({ DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: '0', OPERATOR_TOKEN });
  const url = await app.url;
  if (!url) throw new Error(`the app ended: ${app.err()}`);
  base = url;
}, 60_000);

afterAll(async () => {
  app.signal('SIGTERM');
  await app.ended;
  await rm(dataDir, { recursive: true, force: true });
  await database.drop();
});

type Json = Readonly<Record<string, unknown>>;

const call = async (headers: Record<string, string>, method: string, path: string, body?: object): Promise<Json> => {
  const response = await fetch(`${base}${path}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await response.json()) as Json;
};

const operator = (method: string, path: string, body?: object): Promise<Json> =>
  call({ authorization: `Bearer ${OPERATOR_TOKEN}` }, method, path, body);

type Events = { readonly events: readonly { readonly data: { readonly payment?: { readonly txid: string } } }[] };

it('finds what the simulated engine paid by its transaction, as it finds what a real one told of', async () => {
  await operator('PUT', '/operator/players', { ...player, kyc: 'verified' });
  const asked = { ...player, currency: 'BTC', amount: 100 };
  const { deposit_id: id } = await call(
    { 'x-api-key': await firstKey(dataDir) },
    'POST',
    '/casino/deposit_address',
    asked,
  );
  await operator('POST', '/engine/simulate', { deposit_id: id, scenario: 'paid' });
  let txid: string | undefined;
  while (txid === undefined) {
    const { events } = (await operator('GET', `/operator/deposits/${id}/events`)) as Events;
    txid = events.map(({ data }) => data.payment?.txid).find(Boolean);
    await later(100);
  }
  const found = { kind: 'deposit', id: String(id), by: 'txid', href: `/operator/deposits/${id}` };
  const search = async (): Promise<unknown> => (await operator('GET', `/operator/search?q=${txid}`)).found;
  // Kept with the end of its step, right behind the event.
  while (JSON.stringify(await search()) === '[]') await later(100);
  expect(await search()).toEqual([found]);
}, 60_000);
