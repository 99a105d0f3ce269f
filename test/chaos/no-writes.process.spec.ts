import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import {
  type Answer,
  type DepositHandle,
  endpoints,
  eventually,
  expectAllToldOnce,
  type Hooked,
  hookedCasinos,
  mainJob,
  openMarket,
  type Player,
  type Running,
  serviceAt,
  startService,
  unique,
} from '../acceptance/harness/index.ts';
import { type FreshDatabase, freshDatabase, setReadOnly } from '../support/database.ts';

let database: FreshDatabase;
let running: Running;
/** As somebody who writes whatever the database says to others. */
let hands: pg.Client;
let hooked: Hooked;
let player: Player;
let waiting: DepositHandle;
let payable: DepositHandle;

const service = serviceAt(() => running);
const openHooked = hookedCasinos(service, endpoints());

beforeAll(async () => {
  database = await freshDatabase();
  running = await startService({ DATABASE_URL: database.url });
  await openMarket(service);
}, 180_000);

afterAll(async () => {
  await hands?.end();
  await running?.stop();
  await database?.drop();
}, 60_000);

beforeEach(async () => {
  hooked = await openHooked();
  player = await hooked.casino.player();
  waiting = await hooked.casino.deposit();
  payable = await (await hooked.casino.deposit()).settle();
}, 60_000);

/** Every table of ours refuses, as where no file can grow. */
const fillDisk = async (): Promise<void> => {
  hands = new pg.Client(database.url);
  await hands.connect();
  await hands.query(`
    CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN RAISE 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
    DO $$ DECLARE place regclass; BEGIN
      FOR place IN SELECT c.oid FROM pg_class c WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
        EXECUTE format('CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION full_disk()', place);
      END LOOP;
    END $$`);
};

const emptyDisk = (): Promise<unknown> => hands.query('DROP FUNCTION full_disk CASCADE');

const ready = () => service.call('GET', '/health/ready');

type Calls = Readonly<Record<string, () => Promise<Answer>>>;

const writes = (): Calls => {
  const { casino } = hooked;
  const order = casino.order(player);
  return {
    create: () => casino.create(order),
    'create with a key': () => casino.create(order, { 'Idempotency-Key': unique('key') }),
    'create fast': () => casino.create({ ...order, no_conf: true }),
    accept: () => payable.accept(),
    return: () => payable.return(),
    freeze: () => payable.freeze(),
    'test webhook': () =>
      casino.call('POST', '/casino/integration/test-webhook', { json: { entity_id: casino.entityId } }),
    signal: () =>
      service.operator(
        'POST',
        '/engine/signals',
        { signals: [{ signal_id: 'expiry', type: 'quote.expired', deposit_id: waiting.id, at: waiting.at(30) }] },
        running.engineToken,
      ),
    'a new affiliate': () => service.operator('POST', '/operator/affiliates', { name: unique('affiliate') }),
  };
};

const reads = (): Calls => ({
  read: () => hooked.casino.call('GET', `/casino/deposit/${payable.id}`),
  list: () => hooked.casino.list(`?entity_id=${hooked.casino.entityId}`),
  key: () => hooked.casino.describe(),
});

const statusesOf = async (calls: Calls) => {
  const all: Record<string, [number, boolean]> = {};
  for (const [name, call] of Object.entries(calls)) {
    const { status, headers } = await call();
    all[name] = [status, headers.has('retry-after')];
  }
  return all;
};

const each = (calls: Calls, answer: readonly [number, boolean]) =>
  Object.fromEntries(Object.keys(calls).map((name) => [name, answer]));

const refusesEach = async (): Promise<void> => {
  expect(await statusesOf(writes())).toEqual(each(writes(), [503, true]));
  expect(await statusesOf(reads())).toEqual(each(reads(), [200, false]));
};

/** Nothing was made meanwhile, what was asked can be asked again, and every webhook comes once. */
const goesOn = async (before: number): Promise<void> => {
  const back = await eventually(
    () => payable.accept(),
    ({ status }) => status === 200,
    5_000,
  );
  expect([back.status, (await eventually(ready, ({ status }) => status === 200)).status]).toEqual([200, 200]);
  const list = await hooked.casino.deposits();
  expect([list.total, await waiting.expire()]).toEqual([3, 'applied']);
  const after = await mainJob(hooked);
  await expectAllToldOnce(hooked.endpoint, [before, payable.id, after]);
};

describe('a Postgres that is read-only for a while', () => {
  it('is told by readiness, is a 503 for whoever writes, is read, and everything goes on by itself afterwards', async () => {
    const before = await mainJob(hooked);
    await setReadOnly(database.url, true);
    const told = await eventually(ready, ({ text }) => text.includes('read-only ('), 5_000);
    expect(told).toMatchObject({ status: 503, body: { status: 'not ready' } });
    await refusesEach();
    await delay(2_000);
    await refusesEach();
    await setReadOnly(database.url, false);
    await goesOn(before);
  }, 180_000);
});

describe('a Postgres whose disk is full for a while', () => {
  it('is a 503 for whoever writes, is read, and everything goes on by itself afterwards', async () => {
    const before = await mainJob(hooked);
    await fillDisk();
    await refusesEach();
    await refusesEach();
    expect(await ready()).toMatchObject({
      status: 200,
      body: { alarms: ['the database refuses writes: its disk is full'] },
    });
    await emptyDisk();
    await goesOn(before);
  }, 180_000);
});
