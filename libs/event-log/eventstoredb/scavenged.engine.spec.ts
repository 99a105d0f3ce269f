import { randomInt } from 'node:crypto';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { type EventStoreServer, realServer, startEventStoreServer } from '../../../test/support/eventstore-server.ts';
import { itWhere } from '../../../test/support/jest-left-out.ts';
import { all, anEvent } from '../contract/harness.ts';
import { from, watch } from '../contract/subscribing.ts';
import { lackOf } from '../lack-of.ts';
import type { EventLog } from '../port.ts';
import type { Position } from '../position.ts';
import { openEventStoreDbEventLog } from './index.ts';

const SHOP = { type: 'OrderPlaced', data: {} };

const it = itWhere(!realServer, 'EVENTSTORE_URL is set: a server that is not ours is not scavenged');

let server: EventStoreServer;
let client: EventStoreDBClient;
let log: EventLog;
const broken: string[] = [];

const open = (): EventLog =>
  openEventStoreDbEventLog({
    ...{ url: server.url, patienceMs: 500, pastMs: 0 },
    ownStreams: (stream) => /^deposit-\d+$/.test(stream),
    onBroken: ({ message }) => void broken.push(message),
  });

beforeAll(async () => {
  server = await startEventStoreServer();
  client = EventStoreDBClient.connectionString(server.url);
}, 60_000);

afterAll(async () => {
  await client.dispose();
  await server.stop();
}, 60_000);

beforeEach(() => {
  log = open();
});

afterEach(() => log.close());

const aDeposit = (): string => `deposit-${randomInt(1e9, 1e12)}`;

/** Of a neighbour, at the end of the log. */
const written = async (): Promise<string> => {
  const shop = `shop-${randomInt(1e9, 1e12)}`;
  await client.appendToStream(shop, [jsonEvent(SHOP), jsonEvent(SHOP)]);
  return shop;
};

const goneForGood = async (stream: string): Promise<void> => {
  await client.tombstoneStream(stream);
  await server.scavenge?.();
};

it('a neighbour who takes the last events of the log away with the server leaves it answering, and written to', async () => {
  const [stream, other] = [aDeposit(), open()];
  const { position } = await log.append(stream, 'no_stream', [anEvent()]);
  const shop = await written();
  for (const each of [log, other]) {
    expect(await each.head()).not.toBe(position);
    expect(await each.newest()).not.toBe(position);
    expect(await each.lastRevision(stream)).toBe(0);
  }
  await goneForGood(shop);
  for (const each of [log, other]) {
    expect(await each.head()).toBe(position);
    expect(await each.newest()).toBe(position);
    expect(await all(each.read(stream))).toHaveLength(1);
  }
  expect(await other.append(stream, 0, [anEvent()])).toMatchObject({ revision: 1 });
  expect(await log.lastRevision(stream)).toBe(1);
  await other.close();
});

it('whoever follows goes on, and none who stands where something was scavenged is of another log', async () => {
  const stream = aDeposit();
  const [event] = [await log.append(stream, 'no_stream', [anEvent()])];
  const start = await from(log);
  const watching = watch(log, start);
  const shop = await written();
  const standing = Promise.withResolvers<Position>();
  const passing = log.subscribe({ after: event.position, onBatch: async (batch) => standing.resolve(batch.position) });
  const place = await standing.promise;
  await passing.stop();
  await goneForGood(shop);
  expect(await lackOf(log, { position: place, last: undefined })).toBeUndefined();
  await log.append(stream, 0, [anEvent()]);
  await watching.until({ count: 1 });
  await watching.stop();
  expect((await all(log.readAll({ after: place }))).map(({ revision }) => revision)).toEqual([1]);
});

it('one of ours that is taken away is the damage of its stream, and keeps nobody from the others', async () => {
  const [kept, lost] = [aDeposit(), aDeposit()];
  await log.append(kept, 'no_stream', [anEvent()]);
  await log.append(lost, 'no_stream', [anEvent()]);
  await log.head();
  await goneForGood(lost);
  expect(await log.head()).toBeDefined();
  expect(await log.append(kept, 0, [anEvent()])).toMatchObject({ revision: 1 });
  await expect(all(log.read(lost))).rejects.toThrow();
  expect(broken).toHaveLength(1);
});
