import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventStoreServer, startEventStoreServer } from '../../../test/support/eventstore-server.ts';
import { all, anEvent, aStream } from '../contract/harness.ts';
import { from, watch } from '../contract/subscribing.ts';
import type { EventLog } from '../port.ts';
import { openEventStoreDbEventLog } from './index.ts';

let server: EventStoreServer;
let log: EventLog;
let client: EventStoreDBClient;

beforeAll(async () => {
  server = await startEventStoreServer();
  log = openEventStoreDbEventLog({ url: server.url });
  client = EventStoreDBClient.connectionString(server.url);
}, 60_000);

afterAll(async () => {
  await log.close();
  await client.dispose();
  await server.stop();
}, 60_000);

describe('What the server of EventStoreDB keeps for itself', () => {
  it('is passed over by readers and subscribers, whatever its type is called', async () => {
    const start = await from(log);
    const watching = watch(log, start);
    await client.appendToStream('$persistentSubscriptionConfig', jsonEvent({ type: 'PersistentConfig1', data: {} }));
    const stream = aStream();
    await log.append(stream, 'no_stream', [anEvent()]);
    await watching.until({ count: 1 });
    await watching.stop();
    expect(watching.seen.map((event) => event.stream)).toEqual([stream]);
    expect((await all(log.readAll(start))).map((event) => event.stream)).toEqual([stream]);
  });
});
