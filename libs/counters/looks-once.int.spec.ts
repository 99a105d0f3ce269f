import { randomUUID } from 'node:crypto';
import { setTimeout as later } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { knownEvents } from '#deposit-commands';
import type { EventLog, JsonObject, Position } from '#event-log';
import { openPostgresEventLog } from '#event-log/postgres';
import { databasesPerTest } from './testing/databases.ts';
import { openBeside } from './testing/open-beside.ts';

/** Databases are made, copied and filled again. */
jest.setTimeout(90_000);

const databases = databasesPerTest('apart');

/** Behind which place each look of the numbers began. */
let begun: (Position | undefined)[];
let log: EventLog;
let instance: Awaited<ReturnType<typeof openBeside>>;

const open = async (): Promise<void> => {
  begun = [];
  const readAll: EventLog['readAll'] = (asked) => {
    begun.push(asked?.after);
    return log.readAll(asked);
  };
  instance = await openBeside({ url: databases.url, logUrl: databases.logUrl, log: { ...log, readAll } });
  expect(await instance.counters.firstLook).toBeUndefined();
};

beforeEach(async () => {
  log = await openPostgresEventLog({ databaseUrl: databases.logUrl, known: knownEvents });
  await open();
});

afterEach(async () => {
  await instance.close();
  await log.close();
});

const append = async (stream: string, type: string, data: JsonObject = {}): Promise<Position> => {
  const metadata = { occurredAt: '2026-03-01T12:00:00.000Z', actor: 'test' };
  return (await log.append(stream, 'no_stream', [{ id: randomUUID(), type, data, metadata }])).position;
};

const several = async (looks = 3): Promise<void> => {
  const from = begun.length;
  while (begun.length < from + looks) await later(10);
};

/** What another application has written since is behind the last event of which anything was counted. */
const place = async (): Promise<Position> => {
  await instance.create();
  await several();
  await append('order-1', 'OrderPlaced');
  return append('order-2', 'OrderPlaced');
};

describe('what was looked at behind the last event that was counted', () => {
  it('is not looked at again while the service runs, and is by the next one', async () => {
    const theirs = await place();
    await several();
    expect(begun.at(-1)).toBe(theirs);
    expect((await instance.create()).id).toBe(2);
    await instance.close();
    await open();
    expect(begun[0]).not.toBe(undefined);
    expect(begun[0]).not.toBe(theirs);
  });

  it('is looked at again where the database has another mark than was reached, as one that was put back', async () => {
    const theirs = await place();
    await several();
    expect(begun.at(-1)).toBe(theirs);
    await instance.pool.query('DELETE FROM counted_through');
    await several();
    expect(begun).toContain(undefined);
  });

  it('is looked at again while it holds a number that is too far above all others now', async () => {
    await place();
    await append('deposit-5', 'DepositReturned', { returnId: 20_000_000 });
    await several();
    const theirs = await append('order-3', 'OrderPlaced');
    await several();
    expect(begun.at(-1)).not.toBe(theirs);
    await instance.pool.query("SELECT setval('return_ids', 15000000)");
    await several();
    expect(await instance.giveBack((await instance.create()).id)).toBe(20_000_001);
  });
});
