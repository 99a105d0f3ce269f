import { randomInt } from 'node:crypto';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type EventStoreServer, startEventStoreServer } from '../../../test/support/eventstore-server.ts';
import { foreignStreams, oddities, openStranger } from '../../../test/support/strange-events.ts';
import { all, anEvent, aStream } from '../contract/harness.ts';
import { from, watch } from '../contract/subscribing.ts';
import { BrokenHistory, InvalidAppend } from '../errors.ts';
import type { EventLog } from '../port.ts';
import { isBefore, type Position } from '../position.ts';
import { anyOf, streamsNamed } from '../stream-kinds.ts';
import { openEventStoreDbEventLog } from './index.ts';

/** As a deposit's is, of a number that no other test has. */
const aNumbered = (): string => `deposit-${randomInt(1e9, 1e12)}`;

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

  it('is where the log ends for whoever followed it to there, and not its head', async () => {
    const { position } = await log.append(aStream(), 'no_stream', [anEvent()]);
    const come = Promise.withResolvers<Position>();
    const filter = { streamPrefixes: ['nobodys-'] };
    const following = log.subscribe({
      after: position,
      filter,
      onBatch: async (batch) => come.resolve(batch.position),
    });
    try {
      // Every few records that a filter leaves out the server says how far it has come.
      for (let count = 0; count < 100; count++)
        await client.appendToStream('$stats-127.0.0.1:2113', jsonEvent({ type: '$statsCollected', data: { count } }));
      const reached = await come.promise;
      expect(isBefore(position, reached)).toBe(true);
      expect(await log.head()).toBe(position);
      expect(isBefore(await log.end(), reached)).toBe(false);
    } finally {
      await following.stop();
    }
  });
});

describe('An event of somebody else', () => {
  const told: string[] = [];
  const isOwn = (stream: string): boolean => /^deposit-[0-9a-f]+$/.test(stream);
  const openShared = () =>
    openEventStoreDbEventLog({ url: server.url, ownStreams: isOwn, onForeign: (stream) => told.push(stream) });

  it('is passed over in a stream of theirs, and told', async () => {
    const shared = openShared();
    try {
      const start = await from(shared);
      const watching = watch(shared, start);
      await client.appendToStream('order-17', jsonEvent({ type: 'OrderPlaced', data: {} }));
      const stream = aStream();
      await shared.append(stream, 'no_stream', [anEvent()]);
      await watching.until({ count: 1 });
      await watching.stop();
      expect(watching.seen.map((event) => event.stream)).toEqual([stream]);
      expect((await all(shared.readAll(start))).map((event) => event.stream)).toEqual([stream]);
      await client.appendToStream('order-17', jsonEvent({ type: 'OrderPaid', data: {} }));
      expect(await shared.head()).not.toBe((await all(shared.readAll(start))).at(-1)?.position);
      expect(new Set(told)).toEqual(new Set(['order-17']));
    } finally {
      await shared.close();
    }
  });

  it('is broken history in one of ours', async () => {
    const shared = openShared();
    try {
      const start = await from(shared);
      const stream = aStream();
      await client.appendToStream(stream, jsonEvent({ type: 'OrderPlaced', data: {} }));
      await expect(all(shared.read(stream))).rejects.toThrow(BrokenHistory);
      await expect(all(shared.readAll(start))).rejects.toThrow(BrokenHistory);
      await expect(shared.subscribe({ ...start, onBatch: async () => undefined }).done).rejects.toThrow(BrokenHistory);
    } finally {
      await shared.close();
    }
  });
});

describe('On a server that others use too', () => {
  let passedOver: string[];
  let shared: EventLog;
  let stranger: ReturnType<typeof openStranger>;
  const known = { versions: { QuoteIssued: 1 }, upcasters: [] };
  const isOwn = anyOf(
    ...['deposit-', 'signals-', 'legacy-transaction-'].map((prefix) => streamsNamed(prefix, 'number')),
    streamsNamed('output-', 'coin', 'digest', 'number'),
  );

  beforeEach(() => {
    passedOver = [];
    stranger = openStranger(server.url);
    shared = openEventStoreDbEventLog({
      ...{ url: server.url, known, pastMs: 100 },
      ...{ ownStreams: isOwn, onForeign: (stream: string) => passedOver.push(stream) },
    });
  });
  afterEach(async () => {
    await shared.close();
    await stranger.close();
  });

  /** What is written behind it shows that everything before it was passed by. */
  const behind = async (): Promise<string> => {
    const stream = aNumbered();
    await shared.append(stream, 'no_stream', [anEvent()]);
    return stream;
  };

  it.each(oddities)('an event that %s is passed over in a stream of theirs, by whatever name', async (oddity) => {
    const start = await from(shared);
    const watching = watch(shared, start);
    for (const stream of foreignStreams) await stranger.append(stream, oddity);
    const stream = await behind();
    await watching.until({ count: 1 });
    await watching.stop();
    expect(watching.seen.map((event) => event.stream)).toEqual([stream]);
    expect((await all(shared.readAll(start))).map((event) => event.stream)).toEqual([stream]);
    const names = new Set((await Array.fromAsync(shared.readByStream())).flat().map((event) => event.stream));
    expect(foreignStreams.filter((name) => names.has(name))).toEqual([]);
    expect(foreignStreams.filter((name) => !passedOver.includes(name))).toEqual([]);
  });

  it('nothing is written to a stream of theirs, where nobody would look for it', async () => {
    for (const stream of foreignStreams)
      await expect(shared.append(stream, 'any', [anEvent()])).rejects.toThrow(InvalidAppend);
  });

  it.each(oddities)(
    'an event of one of ours that %s is told to those who prove it, and stops no others',
    async (odd) => {
      const start = await from(shared);
      const own = aNumbered();
      const proving = watch(shared, { ...start, prove: [own] });
      const others = watch(shared, { ...start, prove: ['legacy-transaction-'] });
      await stranger.append(own, odd);
      const stream = await behind();
      for (const watching of [proving, others]) {
        await watching.until({ count: 2 });
        await watching.stop();
      }
      expect(proving.seen.map((event) => [event.stream, typeof event.problem])).toEqual([
        [own, 'string'],
        [stream, 'undefined'],
      ]);
      await expect(all(shared.read(own))).rejects.toThrow(BrokenHistory);
      const [proven] = (await Array.fromAsync(shared.readByStream({ only: own }))).flat();
      expect(proven?.problem).toEqual(expect.any(String));
    },
  );
});
