import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { letLogGo } from '#ground';
import { eventually } from '#read-models/testing';
import { type StandIn, startStandIn } from '../../test/engines/eventstoredb/standIn.ts';
import { connect, event } from '../../test/engines/eventstoredb/support/client.ts';
import { freePort } from '../../test/support/free-port.ts';
import { databasePerFile } from '../../test/support/with-database.ts';
import { firstKey, type RunningApp, runApp } from './testing/run-app.ts';

const OPERATOR_TOKEN = 'kT4mR9wXcV2bN7qLpZ8sDfG1hJ5yU3oEaWi6';
const AS_OPERATOR = { authorization: `Bearer ${OPERATOR_TOKEN}` };

const database = databasePerFile();
const undo: (() => unknown)[] = [];
afterAll(async () => {
  for (const each of undo.splice(0).reverse()) await each();
});

const startServer = async (): Promise<StandIn> => {
  const server = await startStandIn({ port: await freePort() });
  undo.push(() => server.kill());
  return server;
};

/** Much more than the right one will have. */
const writeAsNeighbour = async (server: StandIn): Promise<void> => {
  const client = connect(server.url);
  for (let n = 0; n < 20; n++)
    await client.appendToStream(
      'somebody-else',
      Array.from({ length: 50 }, () => event(n, 'x'.repeat(500))),
    );
  await client.dispose();
};

const startOn = async (server: StandIn, dataDir: string): Promise<RunningApp & { readonly at: string }> => {
  const app = runApp({
    ...{ DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: '0', ENGINE: 'external', DEMO: 'true', OPERATOR_TOKEN },
    ...{ EVENT_STORE: 'eventstoredb', EVENTSTORE_URL: server.url },
  });
  undo.push(() => app.signal('SIGKILL'));
  const at = await app.url;
  if (at === undefined) throw new Error(`it did not start: ${app.err()}`);
  return { ...app, at };
};

const PLACES = `
  SELECT position FROM projection_checkpoints UNION ALL SELECT (SELECT position FROM webhook_relay)`;

const places = async () => (await database.pool.query<{ position: string | null }>(PLACES)).rows;

const call = async (url: string, method: string, headers: Record<string, string>, body?: object) => {
  const json = body && { body: JSON.stringify(body) };
  const answer = await fetch(url, { method, headers: { 'content-type': 'application/json', ...headers }, ...json });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

const PLAYER = { entity_id: 1, gambler_ref: 'a', phone: '+15550101' };

it('an installation whose first start named another server works on the right one once that was let go', async () => {
  const [wrong, right] = [await startServer(), await startServer()];
  await writeAsNeighbour(wrong);
  const dataDir = await mkdtemp(join(tmpdir(), 'cointill-right-log-'));
  undo.push(() => rm(dataDir, { recursive: true, force: true }));

  const first = await startOn(wrong, dataDir);
  await eventually(places, (rows) => rows.length > 4 && rows.every(({ position }) => position !== null), 60_000);
  first.signal('SIGTERM');
  await first.ended;
  expect(await letLogGo(database.pool, 'somebody')).toEqual({ outcome: 'let_go' });

  const { at } = await startOn(right, dataDir);
  await call(`${at}/operator/rates/BTC`, 'PUT', AS_OPERATOR, { usd: '50000' });
  await call(`${at}/operator/players`, 'PUT', AS_OPERATOR, { ...PLAYER, kyc: 'verified' });
  const withKey = { 'x-api-key': await firstKey(dataDir) };
  const create = () =>
    call(`${at}/casino/deposit_address`, 'POST', withKey, { ...PLAYER, currency: 'BTC', amount: 100 });
  expect((await create()).status).toBe(200);
  expect((await call(`${at}/casino/deposits?entity_id=1`, 'GET', withKey)).body).toMatchObject({ total: 1 });
  const { body } = await call(`${at}/operator/projections`, 'GET', AS_OPERATOR);
  expect(JSON.stringify(body)).not.toContain('another log');
  expect(
    (await database.pool.query('SELECT stopped_because FROM webhook_relay')).rows[0]?.stopped_because ?? null,
  ).toBe(null);
}, 200_000);
