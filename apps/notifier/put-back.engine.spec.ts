import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, it } from '@jest/globals';
import { isStreamOfDeposits } from '#deposit-commands';
import { accept, confirmed, history, issue, kyt, ofac, seen } from '#deposits/testing';
import type { EventLog } from '#event-log';
import { openEventStoreDbEventLog } from '#event-log/eventstoredb';
import { createMetrics } from '#platform/metrics';
import { carryAgain, readRelay, takeUpRelay } from '#webhooks';
import { type Endpoint, eventually, openEndpoint, targetAt } from '#webhooks/testing';
import { type StandIn, startStandIn } from '../../test/engines/eventstoredb/standIn.ts';
import { freePort } from '../../test/support/free-port.ts';
import { databasePerTest } from '../../test/support/with-database.ts';
import { registerRelayStopped } from './relay/index.ts';
import { openPostOffice, type PostOffice, postOfficeTables } from './testing/post-office.ts';

const database = databasePerTest(...postOfficeTables);
const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each();
});

const aDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'cointill-webhooks-put-back-'));
  undo.push(() => rmSync(directory, { recursive: true }));
  return directory;
};

const casino = 3;
const life = (depositId: number) =>
  history(issue({ depositId }), seen(), ofac('clear'), kyt('passed'), confirmed(), accept());
const DUE = 8;

const serverOn = async (dataDir: string, port?: number): Promise<StandIn> => {
  const server = await startStandIn({ dataDir, port: port ?? (await freePort()) });
  undo.push(() => server.kill());
  return server;
};

const officeAt = async (log: EventLog, endpoint: Endpoint): Promise<PostOffice> => {
  const office = await openPostOffice(database.url, log);
  undo.push(() => office.close());
  office.targets.set(casino, targetAt(endpoint.url));
  return office;
};

const openOn = async (dataDir: string, endpoint: Endpoint, port?: number) => {
  const server = await serverOn(dataDir, port);
  const office = await officeAt(openEventStoreDbEventLog({ url: server.url, pastMs: 100 }), endpoint);
  return { server, office };
};

const toldOf = ({ arrived }: Endpoint, depositId: number): number =>
  new Set(
    arrived
      .map(({ body }) => JSON.parse(body) as { deposit_id?: number; event: string })
      .filter((each) => each.deposit_id === depositId)
      .map(({ event }) => event),
  ).size;

const stoppedGauge = async (office: PostOffice): Promise<number> => {
  const { registry } = createMetrics();
  registerRelayStopped({ registry }, office);
  const text = await registry.getSingleMetricAsString('webhook_relay_stopped');
  return Number(/^webhook_relay_stopped (\S+)$/m.exec(text)?.[1]);
};

/** Two deposits, of which the copy has the first. */
const toldOfTwo = async (endpoint: Endpoint) => {
  const directory = aDirectory();
  const before = await openOn(directory, endpoint);
  const relay = before.office.relay();
  await before.office.notifier();
  await before.office.append(1, life(1));
  await eventually('the first is told', () => toldOf(endpoint, 1) === DUE);
  const copy = aDirectory();
  cpSync(directory, copy, { recursive: true });
  await before.office.append(2, life(2));
  await eventually('the second is told', () => toldOf(endpoint, 2) === DUE);
  return { ...before, directory, copy, relay };
};

const anEndpoint = async (): Promise<Endpoint> => {
  const endpoint = await openEndpoint();
  undo.push(() => endpoint.close());
  return endpoint;
};

const stopped = async ({ pool }: PostOffice): Promise<boolean> => (await readRelay(pool)).stopped !== undefined;

it('No webhook is lost in a log that was put back: the relay stops, says so, and goes on where both logs are one', async () => {
  const endpoint = await anEndpoint();
  const before = await toldOfTwo(endpoint);
  await before.relay.stop();
  before.server.kill();

  const { office } = await openOn(before.copy, endpoint);
  expect(await stoppedGauge(office)).toBe(0);
  await office.append(3, life(3));
  await office.append(4, life(4));
  office.relay();
  await office.notifier();
  await eventually('the relay stops', () => stopped(office), 20_000);
  expect(await stoppedGauge(office)).toBe(1);
  expect(office.told.filter(({ alert }) => alert === 'relay_stopped')).toHaveLength(1);
  expect([toldOf(endpoint, 3), toldOf(endpoint, 4)]).toEqual([0, 0]);

  const moved: unknown[] = [];
  await takeUpRelay(office, async (_, each) => void moved.push(each));
  expect(moved).toHaveLength(1);
  await eventually('all is told', () => toldOf(endpoint, 3) === DUE && toldOf(endpoint, 4) === DUE, 20_000);
  expect(await stopped(office)).toBe(false);
  // Nothing is sent twice of what was delivered.
  expect(endpoint.arrived).toHaveLength(4 * DUE);
  expect(await takeUpRelay(office, async () => undefined)).toBeUndefined();
}, 90_000);

it('A relay under which the log is put back stops too, and goes on by itself once its own is there again', async () => {
  const endpoint = await anEndpoint();
  const { server, office, directory, copy } = await toldOfTwo(endpoint);
  const { port } = server;
  server.kill();
  const other = await startStandIn({ dataDir: copy, port });
  undo.push(() => other.kill());
  await eventually('the relay stops', () => stopped(office), 30_000);
  other.kill();
  const own = await startStandIn({ dataDir: directory, port });
  undo.push(() => own.kill());
  await office.append(5, life(5));
  await eventually('what came since is told', () => toldOf(endpoint, 5) === DUE, 30_000);
  expect(await stopped(office)).toBe(false);
  const back = office.told.filter(({ alert }) => alert === 'own_log_back');
  expect(back).toEqual([expect.objectContaining({ relay: 'webhooks', since: expect.any(String) })]);
  expect(Date.parse(String(back[0]?.since))).toBeLessThan(Date.now());
}, 90_000);

/** Another comes in the place of what stands there. */
const exchanging = (first: StandIn) => {
  let stands = first;
  return async (dataDir: string): Promise<void> => {
    stands.kill();
    stands = await serverOn(dataDir, first.port);
  };
};

/** The first read is of what it reads then. */
const beforeTheFirstRead = (log: EventLog, work: () => Promise<void>): EventLog => {
  let worked: Promise<void> | undefined;
  return {
    ...log,
    read: async function* (...asked) {
      worked ??= work();
      await worked;
      yield* log.read(...asked);
    },
  };
};

it('A log that is put back while a relay makes out what it has read leaves out no webhook of a whole history', async () => {
  const endpoint = await anEndpoint();
  const directory = aDirectory();
  const { server, office: before } = await openOn(directory, endpoint);
  const relay = before.relay();
  await before.notifier();
  const [issued, paid, ...rest] = life(1);
  if (!issued || !paid) throw new Error('a life has more events');
  await before.append(1, [issued]);
  await eventually('it is told of', () => toldOf(endpoint, 1) === 1);
  const copy = aDirectory();
  cpSync(directory, copy, { recursive: true });
  await before.append(1, [paid]);
  await eventually('the payment is told', () => toldOf(endpoint, 1) === 3);
  await relay.stop();
  await before.append(1, rest);

  const exchange = exchanging(server);
  const log = openEventStoreDbEventLog({ url: server.url, pastMs: 100 });
  const office = await officeAt(
    beforeTheFirstRead(log, () => exchange(copy)),
    endpoint,
  );
  office.relay();
  await office.notifier();
  const triesAgain = () => office.told.some(({ msg }) => String(msg).includes('tries again'));
  await eventually('the relay does not go on', triesAgain, 30_000);
  await exchange(directory);
  await eventually('all is told', () => toldOf(endpoint, 1) === DUE, 30_000);
  expect(office.told.filter(({ alert }) => alert === 'webhook_left_out')).toEqual([]);
}, 120_000);

/** What others on the server write. */
const appendOthers = async ({ url }: StandIn): Promise<void> => {
  const log = openEventStoreDbEventLog({ url });
  const padded = () => ({
    id: randomUUID(),
    type: 'Another',
    data: { pad: 'x'.repeat(1_000) },
    metadata: { occurredAt: '2026-01-01T00:00:00.000Z', actor: 'another' },
  });
  await log.append('others', 'any', Array.from({ length: 20 }, padded));
  await log.close();
};

it('A copy that holds a part of what a relay makes out, and is longer by what others wrote, leaves out nothing either', async () => {
  const endpoint = await anEndpoint();
  const directory = aDirectory();
  const { server, office: before } = await openOn(directory, endpoint);
  const relay = before.relay();
  await before.notifier();
  for (const id of [1, 2]) await before.append(id, life(id).slice(0, 1));
  await eventually('they are told of', () => [1, 2].every((id) => toldOf(endpoint, id) === 1));
  await relay.stop();
  await before.append(1, life(1).slice(1));
  const copy = aDirectory();
  cpSync(directory, copy, { recursive: true });
  await before.append(2, life(2).slice(1));
  const longer = await serverOn(copy);
  await appendOthers(longer);
  longer.kill();

  const exchange = exchanging(server);
  const shown = { revision: life(2).length - 1, hash: undefined };
  const log = openEventStoreDbEventLog({
    url: server.url,
    ownStreams: isStreamOfDeposits,
    remembered: async () => shown,
  });
  const office = await officeAt(
    beforeTheFirstRead(log, () => exchange(copy)),
    endpoint,
  );
  office.relay();
  await office.notifier();
  await eventually('it says something', () => office.told.some(({ alert }) => alert !== undefined), 30_000);
  await exchange(directory);
  await eventually('all is told', () => [1, 2].every((id) => toldOf(endpoint, id) === DUE), 30_000);
  expect(office.told.filter(({ alert }) => alert === 'webhook_left_out')).toEqual([]);
}, 120_000);

it('A relay whose log is not the one of its place leaves it to another, and carries nothing itself', async () => {
  const endpoint = await anEndpoint();
  const { relay, office, copy } = await toldOfTwo(endpoint);
  await relay.stop();
  const { office: wrong } = await openOn(copy, endpoint);
  await wrong.append(7, life(7));
  wrong.relay();
  await eventually('the relay stops', () => stopped(wrong), 20_000);
  office.relay();
  await office.append(3, life(3));
  await eventually('the right one has gone on', () => toldOf(endpoint, 3) === DUE, 20_000);
  expect([await stopped(office), toldOf(endpoint, 7)]).toEqual([false, 0]);
}, 90_000);

it('A log that was put back stops the relay on another bus too, and neither that nor carrying again lets it go on', async () => {
  const endpoint = await anEndpoint();
  const before = await toldOfTwo(endpoint);
  await before.relay.stop();
  before.server.kill();
  const { office } = await openOn(before.copy, endpoint);
  for (const id of [3, 4, 5]) await office.append(id, life(id));
  const { ensureTopic, publish } = office.bus;
  office.relay({ ensureTopic, publish, identity: async () => 'another' });
  await office.notifier();
  await eventually('the relay stops', () => stopped(office), 20_000);
  await expect(carryAgain(office, new Date(), async () => undefined)).rejects.toThrow('it is another log');
  await delay(2_000);
  const alerts = () => office.told.flatMap(({ alert }) => (alert ? [alert] : []));
  expect([await stopped(office), toldOf(endpoint, 3), alerts()]).toEqual([true, 0, ['relay_stopped']]);

  expect(await takeUpRelay(office, async () => undefined)).toBeDefined();
  await eventually('all is told', () => [3, 4, 5].every((id) => toldOf(endpoint, id) === DUE), 20_000);
  expect(await stopped(office)).toBe(false);
  expect(alerts()).toEqual(['relay_stopped', 'bus_changed']);
}, 90_000);

it('A relay that carried nothing yet and met another log stays stopped though that grows as long, until it is taken up', async () => {
  const endpoint = await anEndpoint();
  const { office } = await openOn(aDirectory(), endpoint);
  const place = [20_000, 20_000].map((each) => String(each).padStart(20, '0')).join('.');
  await database.pool.query("INSERT INTO webhook_relay (name, position) VALUES ('deposit-events', $1)", [place]);
  await office.append(1, life(1));
  office.relay();
  await office.notifier();
  await eventually('the relay stops', () => stopped(office), 20_000);
  for (let depositId = 2; ((await office.log.end()) ?? '') <= place; depositId += 1)
    await office.append(depositId, life(depositId));
  await delay(8_000);
  expect([await stopped(office), endpoint.arrived.length]).toEqual([true, 0]);

  expect(await takeUpRelay(office, async () => undefined)).toMatchObject({ to: null });
  await eventually('the first is told', () => toldOf(endpoint, 1) === DUE, 20_000);
  expect(await stopped(office)).toBe(false);
}, 90_000);
