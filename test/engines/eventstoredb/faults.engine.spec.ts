import { setTimeout as delay } from 'node:timers/promises';
import type { EventStoreDBClient } from '@eventstore/db-client';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type StandIn, startStandIn } from './standIn.ts';
import { connect, event, failure, PLAIN, readIds, seen, until } from './support/client.ts';

const UNAVAILABLE = { class: 'UnavailableError', type: 'unavailable', code: 14 };
const TIMEOUT = { class: 'TimeoutError', type: 'timeout', code: 10 };
const STREAM = 'account-1';

let standIn: StandIn;
let client: EventStoreDBClient;
const others: EventStoreDBClient[] = [];

const another = () => {
  const made = connect(standIn.url);
  others.push(made);
  return made;
};

beforeEach(async () => {
  standIn = await startStandIn();
  client = another();
});

afterEach(async () => {
  await Promise.all(others.splice(0).map((each) => each.dispose()));
  standIn.kill();
});

const isWritten = (reader: EventStoreDBClient, id: string) =>
  readIds(reader, STREAM).then(
    (ids) => ids.includes(id),
    () => false,
  );

const subscribeToStream = () => {
  const subscription = client.subscribeToStream(STREAM);
  const told = { live: false, errors: [] as unknown[], ended: false, count: 0 };
  subscription.on('caughtUp', () => {
    told.live = true;
  });
  subscription.on('error', (error) => told.errors.push(seen(error)));
  subscription.on('end', () => {
    told.ended = true;
  });
  return { subscription, told };
};

const following = async () => {
  await client.appendToStream(STREAM, event(), PLAIN);
  const { subscription, told } = subscribeToStream();
  subscription.on('data', () => {
    told.count++;
  });
  await until(() => told.live);
  return told;
};

describe('delayMs', () => {
  it('lets a deadline pass, and the event is written all the same', async () => {
    // Or the deadline might pass before there is a connection to send it on.
    await failure(readIds(client, STREAM));
    standIn.faults.set({ delayMs: 2_500 });
    const late = event();
    const append = client.appendToStream(STREAM, late, { ...PLAIN, deadline: 150 });
    expect(await failure(append)).toEqual({ class: 'DeadlineExceededError', type: 'deadline-exceeded', code: 4 });
    // Sent in time it may still be on its way: one that comes after the reset would not be held.
    await delay(100);
    standIn.faults.reset();
    expect(await failure(readIds(client, STREAM))).toMatchObject({ class: 'StreamNotFoundError' });
    await until(() => isWritten(client, late.id));
  });
});

describe('holdAnswers', () => {
  it('writes without an answer, so that a cut leaves the outcome unknown, and a repeat finds it written', async () => {
    const held = event();
    standIn.faults.set({ holdAnswers: true });
    const append = failure(client.appendToStream(STREAM, held, { ...PLAIN, expectedRevision: 'no_stream' }));
    const reader = another();
    await until(() => isWritten(reader, held.id));
    standIn.cut();
    expect(await append).toEqual(UNAVAILABLE);
    standIn.faults.reset();
    const repeated = await another().appendToStream(STREAM, held, { ...PLAIN, expectedRevision: 'no_stream' });
    expect(repeated.nextExpectedRevision).toBe(0n);
    expect(await readIds(another(), STREAM)).toEqual([held.id]);
  });

  it('gives the answers when it is switched off', async () => {
    standIn.faults.set({ holdAnswers: true });
    const append = client.appendToStream(STREAM, event(), PLAIN);
    setTimeout(() => standIn.faults.set({ holdAnswers: false }), 100);
    expect((await append).success).toBe(true);
  });
});

describe('failAppend', () => {
  it('fails the n-th append after writing it, and only that one', async () => {
    standIn.faults.set({ failAppend: 2 });
    const [first, second] = [event(1), event(2)];
    await client.appendToStream(STREAM, first, { ...PLAIN, expectedRevision: 'no_stream' });
    const lost = () => client.appendToStream(STREAM, second, { ...PLAIN, expectedRevision: 0n });
    expect(await failure(lost())).toEqual(UNAVAILABLE);
    expect((await lost()).nextExpectedRevision).toBe(1n);
    expect(await readIds(client, STREAM)).toEqual([first.id, second.id]);
  });

  it('breaks the stream of the batch path', async () => {
    standIn.faults.set({ failAppend: 1 });
    const lost = event();
    expect(await failure(client.appendToStream(STREAM, lost))).toEqual(UNAVAILABLE);
    expect(await readIds(another(), STREAM)).toEqual([lost.id]);
  });
});

describe('notReadyMs', () => {
  it('refuses appends and reads until it is over', async () => {
    standIn.faults.set({ notReadyMs: 60_000 });
    expect(await failure(client.appendToStream(STREAM, event(), PLAIN))).toEqual(UNAVAILABLE);
    expect(await failure(readIds(client, STREAM))).toEqual(UNAVAILABLE);
    standIn.faults.set({ notReadyMs: 0 });
    expect((await client.appendToStream(STREAM, event(), PLAIN)).success).toBe(true);
  });

  it('is not recognised on the batch path', async () => {
    standIn.faults.set({ notReadyMs: 60_000 });
    const append = client.appendToStream(STREAM, event());
    await expect(append).rejects.toThrow('Could not recognize Server Is Not Ready');
    expect(await failure(append)).toEqual({ class: 'UnknownError', type: 'unknown', code: undefined });
  });
});

describe('commitMs', () => {
  const faults = { commitMs: 600, commitTimeoutMs: 1000 };

  it('times out a repeat while its original is in flight, and stores one event', async () => {
    standIn.faults.set(faults);
    const twice = event();
    const append = () => client.appendToStream(STREAM, twice, { ...PLAIN, expectedRevision: 'no_stream' });
    const original = append();
    await until(() => isWritten(client, twice.id));
    expect(await failure(append())).toEqual(TIMEOUT);
    expect((await original).nextExpectedRevision).toBe(0n);
    expect((await append()).nextExpectedRevision).toBe(0n);
    expect(await readIds(client, STREAM)).toEqual([twice.id]);
  });

  it('is a deadline on the batch path', async () => {
    standIn.faults.set(faults);
    const twice = event();
    const append = () => client.appendToStream(STREAM, twice, { expectedRevision: 'no_stream' });
    const original = append();
    await until(() => isWritten(client, twice.id));
    const exceeded = { class: 'DeadlineExceededError', type: 'deadline-exceeded', code: undefined };
    expect(await failure(append())).toEqual(exceeded);
    expect((await original).success).toBe(true);
  });
});

describe('liveBuffer', () => {
  const flood = async (writer: EventStoreDBClient, count: number) => {
    for (let n = 0; n < count; n++) await writer.appendToStream(STREAM, event(n, 'x'.repeat(20_000)), PLAIN);
  };

  it('drops a subscriber that does not keep up, which goes on from its last event', async () => {
    standIn.faults.set({ liveBuffer: 32 });
    await client.appendToStream(STREAM, event(), PLAIN);
    const { subscription, told } = subscribeToStream();
    const revisions: bigint[] = [];
    const onData = ({ event: read }: { event?: { revision: bigint } }) => read && revisions.push(read.revision);
    subscription.on('data', onData);
    await until(() => told.live);
    subscription.pause();
    await flood(another(), 300);
    subscription.resume();
    await until(() => told.errors.length > 0);
    expect(told.errors).toEqual([TIMEOUT]);
    expect(revisions.length).toBeLessThan(301);
    expect(standIn.faults.dropped()).toBe(1);

    const last = revisions.at(-1);
    const next = client.subscribeToStream(STREAM, last === undefined ? {} : { fromRevision: last }).on('data', onData);
    await until(() => revisions.length >= 301);
    await next.unsubscribe();
    expect(revisions).toEqual(Array.from({ length: 301 }, (_, revision) => BigInt(revision)));
  });

  it('leaves alone one that keeps up', async () => {
    standIn.faults.set({ liveBuffer: 32 });
    const told = await following();
    await flood(another(), 100);
    await until(() => told.count === 101);
    expect(told.errors).toEqual([]);
    expect(standIn.faults.dropped()).toBe(0);
  });
});

describe('cut', () => {
  it('gives a subscription an error and no end, and takes the next connection', async () => {
    const told = await following();
    standIn.cut();
    await until(() => told.errors.length > 0);
    expect(told).toMatchObject({ errors: [UNAVAILABLE], ended: false });
    expect((await another().appendToStream(STREAM, event(), PLAIN)).success).toBe(true);
  });
});

describe('close', () => {
  it('ends subscriptions with a status', async () => {
    const told = await following();
    await standIn.close();
    await until(() => told.errors.length > 0);
    expect(told.errors).toEqual([{ class: 'UnknownError', type: 'unknown', code: 13 }]);
    standIn = await startStandIn();
  });
});

describe('a switch that does not exist', () => {
  it('is refused with the names of those that do', () => {
    const misspelt = JSON.parse('{"liveBufer": 32}');
    expect(() => standIn.faults.set(misspelt)).toThrow(/no fault liveBufer: there are delayMs, holdAnswers/);
    expect(() => standIn.faults.set({ delayMs: -1 })).toThrow('delayMs takes a number, zero or more: -1');
  });
});
