import { EventStoreDBClient, jsonEvent, NO_STREAM, UnknownError } from '@eventstore/db-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type StandIn, startStandIn } from '../../../test/engines/eventstoredb/standIn.ts';
import { freePort } from '../../../test/support/free-port.ts';
import { aStream } from '../contract/harness.ts';
import { type Connection, connectTo } from './connection.ts';
import { createPace } from './pace.ts';
import { createReadStream } from './read-stream.ts';
import { createRoom } from './room.ts';
import { createTail, type Tail } from './tail.ts';

let standIn: StandIn;
let client: EventStoreDBClient;
let connection: Connection;
let tail: Tail;
let calls = 0;
/** What befalls the next page before it is asked for. */
let befalls: (() => Promise<void>) | undefined;
let streams: ReturnType<typeof createReadStream>;

const WHOLE = { from: undefined, direction: 'forwards', limit: undefined } as const;

const metadata = { schema_version: 1, occurred_at: '2026-11-21T10:00:00.000Z', prev_hash: '', hash: '' };

/** Somebody else, in a process of his own. */
const append = async (stream: string, after: number, count = 1): Promise<void> => {
  const events = Array.from({ length: count }, () => jsonEvent({ type: 'Seen', data: {}, metadata }));
  const expectedRevision = after < 0 ? NO_STREAM : BigInt(after);
  const credentials = { username: 'anonymous', password: 'anonymous' };
  await client.appendToStream(stream, events, { expectedRevision, credentials });
};

const revisions = async (stream: string): Promise<readonly number[]> =>
  (await Array.fromAsync(streams.readStream(stream, WHOLE))).map(({ revision }) => revision);

const callsOf = async <T>(work: () => Promise<T>): Promise<readonly [T, number]> => {
  const before = calls;
  return [await work(), calls - before];
};

beforeAll(async () => {
  standIn = await startStandIn({ port: await freePort() });
});

beforeEach(() => {
  client = EventStoreDBClient.connectionString(standIn.url);
  connection = connectTo(standIn.url);
  const counted: Connection = {
    ...connection,
    page: (read) => {
      calls++;
      return connection.page(read);
    },
    pageUntil: async (...asked) => {
      calls++;
      const befall = befalls;
      befalls = undefined;
      await befall?.();
      return connection.pageUntil(...asked);
    },
  };
  const log = { connection: counted, ownership: {}, pace: createPace() };
  tail = createTail(log);
  streams = createReadStream(counted, tail);
});

afterEach(async () => {
  await connection.close();
  await client.dispose();
});

afterAll(async () => {
  await standIn.close();
});

describe('the end of the log, read once for all who ask', () => {
  it('tells of streams that are known in one call, however many ask, and what others have written since', async () => {
    const names = Array.from({ length: 30 }, () => aStream());
    for (const name of names) await append(name, -1, 2);
    for (const name of names) expect(await revisions(name)).toEqual([0, 1]);
    for (const name of names.slice(0, 10)) await append(name, 1);
    const [ends, asked] = await callsOf(() => Promise.all(names.map((name) => streams.lastRevision(name))));
    expect(ends).toEqual(names.map((_, nth) => (nth < 10 ? 2 : 1)));
    expect(asked).toBe(1);
    const [histories, read] = await callsOf(() => Promise.all(names.map(revisions)));
    expect(histories).toEqual(names.map((_, nth) => (nth < 10 ? [0, 1, 2] : [0, 1])));
    expect(read).toBe(1);
  });

  it('knows a stream that began behind it, and asks the server for one that did not', async () => {
    const [before, behind] = [aStream(), aStream()];
    await append(before, -1, 3);
    await tail.newest();
    await append(behind, -1);
    await tail.newest();
    expect(await callsOf(() => revisions(behind))).toEqual([[0], 1]);
    expect(await tail.history(before)).toBeUndefined();
    expect(await streams.lastRevision(before)).toBe(2);
    expect(await streams.lastRevision(aStream())).toBeUndefined();
  });

  it('forgets a stream that somebody takes away, and what lies too far back', async () => {
    const [gone, whole] = [aStream(), aStream()];
    for (const name of [gone, whole]) {
      await append(name, -1, 2);
      expect(await revisions(name)).toEqual([0, 1]);
    }
    await client.deleteStream(gone);
    expect([await streams.lastRevision(gone), await revisions(gone)]).toEqual([undefined, []]);
    const many = aStream();
    for (let after = -1; after < 2_499; after += 500) await append(many, after, 500);
    await append(whole, 1);
    expect([await streams.lastRevision(whole), await revisions(whole)]).toEqual([2, [0, 1, 2]]);
  });

  it('begins anew with a server that has lost what it had', async () => {
    const stream = aStream();
    await append(stream, -1, 3);
    expect(await revisions(stream)).toEqual([0, 1, 2]);
    const { port } = standIn;
    standIn.kill();
    standIn = await startStandIn({ port });
    const lost = await streams.lastRevision(stream).catch(() => streams.lastRevision(stream));
    expect(lost).toBeUndefined();
  });

  it('tells who follows it of a page that failed for a while as it is, and gives the next one', async () => {
    const stream = aStream();
    await append(stream, -1);
    const { place } = await tail.newest();
    await append(stream, 0);
    tail.forget();
    befalls = () => Promise.reject(new UnknownError(undefined, '2 UNKNOWN: Exception was thrown by handler.'));
    const next = () => tail.behind(place, 10, createRoom());
    await expect(next()).rejects.toThrow(UnknownError);
    expect((await next())?.events).toMatchObject([{ stream, revision: 1 }]);
  });

  it('begins anew where it is forgotten beside a call', async () => {
    const stream = aStream();
    await append(stream, -1);
    expect(await revisions(stream)).toEqual([0]);
    befalls = async () => tail.forget();
    expect(await tail.history(stream)).toBeUndefined();
    expect(await revisions(stream)).toEqual([0]);
    befalls = async () => tail.forget();
    expect((await tail.newest()).own).toBeDefined();
  });
});
