import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import { type Endpoint, eventually, openEndpoint, openPostRoom, type PostRoom, targetAt } from '#webhooks/testing';
import { databasePerFile } from '../../../test/support/with-database.ts';
import { type RunningApp, runApp } from '../testing/run-app.ts';

/** Three steps of a replay. */
const DELIVERIES = 2_500;
const casino = 1;
const TOKEN = 'the-operator-of-the-killed-replay';
/** A claim of 30 seconds runs out, another looks every five, and a slow machine sends meanwhile. */
const PATIENCE_MS = 120_000;

const database = databasePerFile();
let endpoint: Endpoint;
let room: PostRoom;
let [dying, other] = ['', ''];
let dyingApp: RunningApp;

const started = async (): Promise<readonly [app: RunningApp, url: string]> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'cointill-replay-'));
  const app = runApp({
    ...{ DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: '0', OPERATOR_TOKEN: TOKEN, LOG_LEVEL: 'error' },
    ...{ SECRETS_KEY: 'one-key-of-two-instances-of-replays', WEBHOOK_ALLOW_PRIVATE: 'true' },
  });
  database.atEnd(async () => {
    app.signal('SIGTERM');
    await app.ended;
    await rm(dataDir, { recursive: true, force: true });
  });
  const url = await app.url;
  if (!url) throw new Error(`the app ended: ${app.err()}`);
  return [app, url];
};

const operator = async (url: string, method: string, path: string, body: object) => {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}/operator/${path}`, { method, headers, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as unknown };
};

const count = async (query: string): Promise<number> =>
  Number((await database.pool.query<{ count: string }>(query)).rows[0]?.count ?? 0);

const idsArrived = (from: number): Set<unknown> =>
  new Set(endpoint.arrived.slice(from).map(({ headers }) => headers['x-webhook-id']));

const allDelivered = async (): Promise<boolean> => (await count('SELECT count(*) FROM webhooks_undelivered')) === 0;

beforeAll(async () => {
  endpoint = database.closing(await openEndpoint());
  [dyingApp, dying] = await started();
  [, other] = await started();
  const webhook = { url: endpoint.url, secret: 'a secret of the casino' };
  expect((await operator(other, 'PATCH', `entities/${casino}`, { webhook })).status).toBe(200);
  room = database.closing(await openPostRoom(database.url));
  room.targets.set(casino, targetAt(endpoint.url));
  await room.made(casino, DELIVERIES);
  await eventually(
    'all are delivered once',
    async () => idsArrived(0).size === DELIVERIES && (await allDelivered()),
    PATIENCE_MS,
  );
}, PATIENCE_MS * 2);

it(
  'a replay whose process is killed in the middle is gone on with by another, and sends what was promised',
  async () => {
    const wish = { entity_id: casino, since: '2020-01-01T00:00:00.000Z' };
    const promised = await operator(other, 'POST', 'webhook-deliveries/replay', { ...wish, dry_run: true });
    expect(promised.body).toEqual({ replayed: DELIVERIES });

    const before = endpoint.arrived.length;
    // Of the second step, which waits for it: no kill comes early or late.
    const holder = await database.pool.connect();
    await holder.query('BEGIN');
    await holder.query(
      `SELECT FROM webhook_bodies WHERE delivery_id =
         (SELECT id FROM webhook_deliveries ORDER BY id DESC OFFSET 1200 LIMIT 1) FOR UPDATE`,
    );
    const asked = operator(dying, 'POST', 'webhook-deliveries/replay', wish).then(
      () => 'answered',
      () => 'cut off',
    );
    await eventually(
      'its second step waits',
      async () =>
        (await count('SELECT due AS count FROM webhook_replays')) === 1_000 &&
        (await count(`SELECT count(*) FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~ 'webhook_bodies'`)) > 0,
      PATIENCE_MS,
    );
    dyingApp.signal('SIGKILL');
    await dyingApp.ended;
    expect(await asked).toBe('cut off');
    await holder.query('COMMIT');
    holder.release();

    await eventually(
      'another has ended it',
      async () => (await count('SELECT count(*) FROM webhook_replays WHERE ended_at IS NOT NULL')) === 1,
      PATIENCE_MS,
    );
    await eventually('all are delivered again', allDelivered, PATIENCE_MS);
    expect(await count('SELECT due AS count FROM webhook_replays')).toBe(DELIVERIES);
    expect(idsArrived(before).size).toBe(DELIVERIES);
    expect(await count('SELECT count(*) FROM webhook_replays')).toBe(1);
  },
  PATIENCE_MS * 3,
);
