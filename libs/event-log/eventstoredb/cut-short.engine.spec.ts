import { randomUUID } from 'node:crypto';
import { EventStoreDBClient } from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventStoreServer, startEventStoreServer } from '../../../test/support/eventstore-server.ts';
import { all, anEvent, aStream } from '../contract/harness.ts';
import { BrokenHistory } from '../errors.ts';
import type { EventLog } from '../port.ts';
import { partsOf, positionOf } from '../position.ts';
import { openEventStoreDbEventLog } from './index.ts';

let server: EventStoreServer;
let log: EventLog;
let client: EventStoreDBClient;
const told: string[] = [];

beforeAll(async () => {
  server = await startEventStoreServer();
  log = openEventStoreDbEventLog({ url: server.url, onBroken: ({ message }) => told.push(message) });
  client = EventStoreDBClient.connectionString(server.url);
}, 60_000);

afterAll(async () => {
  await log.close();
  await client.dispose();
  await server.stop();
}, 60_000);

it('a stream that was taken away is broken history, and keeps no other from being read and written', async () => {
  const [gone, whole] = [aStream(), aStream()];
  for (const stream of [gone, whole]) await log.append(stream, 'no_stream', [anEvent(), anEvent()]);
  await client.deleteStream(gone);
  const [, cut] = await Promise.allSettled([
    log.append(whole, 1, [anEvent()]).then(() => all(log.read(whole))),
    all(log.read(gone)),
  ]);
  expect(cut).toMatchObject({ status: 'rejected', reason: expect.any(BrokenHistory) });
  expect(await all(log.read(whole))).toHaveLength(3);
  const remembered = async () => ({ revision: 1, hash: undefined });
  const fresh = openEventStoreDbEventLog({ url: server.url, remembered, pastMs: 200 });
  await expect(all(fresh.read(gone))).rejects.toThrow(BrokenHistory);
  await fresh.close();
  expect(told).toEqual([`stream ${gone}: it ends before revision 0, and was seen up to 1`]);
});

describe('A stream of which the server has let an event go', () => {
  it.each([
    ['stands as it was', false, async () => undefined],
    ['was deleted', true, (stream: string) => client.deleteStream(stream)],
    ['was deleted for good', true, (stream: string) => client.tombstoneStream(stream)],
    ['was cut short', true, (stream: string) => client.setStreamMetadata(stream, { maxCount: 1 })],
    ['shows nothing any more', true, (stream: string) => client.setStreamMetadata(stream, { truncateBefore: 9 })],
    ['is kept for a while', false, (stream: string) => client.setStreamMetadata(stream, { maxAge: 3600 })],
  ])('%s: what is not where it was is held to have been of the log: %s', async (_, isHeld, take) => {
    const stream = aStream();
    await log.append(stream, 'no_stream', [anEvent(), anEvent()]);
    const [event] = await all(log.read(stream));
    if (!event) throw new Error('nothing was written');
    const { major } = partsOf(event.position);
    await take(stream);
    expect(await log.holds(event)).toBe(true);
    // As once it is scavenged: another record is found there, or the server answers that none begins there.
    for (const place of [0n, major + 1n])
      expect(await log.holds({ ...event, position: positionOf(place, place) })).toBe(isHeld);
  });

  it('is told from one that never was', async () => {
    const other = { stream: aStream(), revision: 0, position: positionOf(1n, 1n), id: randomUUID() };
    expect(await log.holds(other)).toBe(false);
  });
});
