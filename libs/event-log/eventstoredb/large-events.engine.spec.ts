import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventStoreServer, startEventStoreServer } from '../../../test/support/eventstore-server.ts';
import { all, anEvent, aStream } from '../contract/harness.ts';
import { watch } from '../contract/subscribing.ts';
import type { RecordedEvent } from '../port.ts';
import type { Position } from '../position.ts';
import { type Connection, connectTo } from './connection.ts';
import { positionFrom } from './events.ts';
import { openEventStoreDbEventLog } from './index.ts';
import { readPage } from './read-all.ts';
import { createRoom } from './room.ts';

const MB = 1_000_000;
const LARGE = 60;

const isOwn = (stream: string): boolean => stream.startsWith('deposit-');

let server: EventStoreServer;
let client: EventStoreDBClient;
let connection: Connection;
let start: Position | undefined;
let own: readonly string[];

beforeAll(async () => {
  server = await startEventStoreServer();
  client = EventStoreDBClient.connectionString(server.url);
  connection = connectTo(server.url);
  const log = openEventStoreDbEventLog({ url: server.url, ownStreams: isOwn });
  start = (await log.append(aStream(), 'no_stream', [anEvent()])).position;
  const credentials = { username: 'anonymous', password: 'anonymous' };
  const html = 'x'.repeat(MB / 2);
  const streams: string[] = [];
  for (let nth = 0; nth < LARGE; nth++) {
    await client.appendToStream(`invoice-${nth % 5}`, jsonEvent({ type: 'Rendered', data: { html } }), { credentials });
    if (nth % 20 !== 10) continue;
    streams.push(aStream());
    await log.append(streams.at(-1) ?? '', 'no_stream', [anEvent()]);
  }
  own = streams;
  await log.close();
}, 60_000);

afterAll(async () => {
  await connection.close();
  await client.dispose();
  await server.stop();
}, 60_000);

describe("Another application's large events", () => {
  /** From one place to the end, as readers do. */
  async function* pages() {
    const room = createRoom();
    for (let after = start; ; ) {
      const maxCount = room.most();
      const asked = { after, forwards: true, maxCount, room, ownership: { isOwn } };
      const { items, isCut } = await readPage(connection, asked);
      const [first, last] = [items[0]?.position, items.at(-1)?.position];
      if (!first || !last) throw new Error('a page behind an event begins with that');
      yield { items, maxCount, bytes: Number(last.commit - first.commit) };
      if (!isCut && items.length < maxCount) return;
      after = positionFrom(last);
    }
  }

  it('end a page by their bytes, and nothing is kept of what they say', async () => {
    const all = await Array.fromAsync(pages());
    expect(Math.max(...all.map(({ bytes }) => bytes))).toBeLessThan(9 * MB);
    expect(all.reduce((sum, { bytes }) => sum + bytes, 0)).toBeGreaterThan((LARGE / 2 - 1) * MB);
    // Once it is known what they weigh no more is asked for.
    expect(Math.max(...all.slice(1).map(({ maxCount }) => maxCount))).toBeLessThan(LARGE / 2);
    const theirs = all.flatMap(({ items }) => items).filter(({ streamId }) => streamId.startsWith('invoice-'));
    expect(theirs.map(({ data }) => data)).toEqual(theirs.map(() => new Uint8Array()));
  });

  it('are passed over by readers, in both directions, and by whoever follows', async () => {
    const log = openEventStoreDbEventLog({ url: server.url, ownStreams: isOwn });
    const behind = start ? { after: start } : {};
    const streamsOf = (events: readonly RecordedEvent[]) => events.map(({ stream }) => stream);
    expect(streamsOf(await all(log.readAll(behind)))).toEqual(own);
    const back = await all(log.readAll({ direction: 'backwards', limit: own.length }));
    expect(streamsOf(back)).toEqual(own.toReversed());
    const watching = watch(log, behind);
    await watching.until({ count: own.length });
    await watching.stop();
    expect(streamsOf(watching.seen)).toEqual(own);
    await log.close();
  });
});
