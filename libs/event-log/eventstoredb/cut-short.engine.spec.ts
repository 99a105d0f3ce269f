import { EventStoreDBClient } from '@eventstore/db-client';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type EventStoreServer, startEventStoreServer } from '../../../test/support/eventstore-server.ts';
import { all, anEvent, aStream } from '../contract/harness.ts';
import { BrokenHistory } from '../errors.ts';
import type { EventLog } from '../port.ts';
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
