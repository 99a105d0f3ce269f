import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { depositStream } from '#deposit-commands';
import { accept, confirmed, history, issue, kyt, ofac, seen } from '#deposits/testing';
import type { EventLog } from '#event-log';
import { openPostgresEventLog } from '#event-log/postgres';
import { silentLogger as logger } from '#platform/logging';
import { createPool } from '#platform/postgres';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { acceptEnds, lookAtLostEnds } from '../damage/accept-ends.ts';
import { rememberedPlaces } from '../remembered.ts';
import { type Projections, startProjections } from '../running/start-projections.ts';
import { eventually } from '../testing/eventually.ts';
import { groundTables } from '../testing/ground.ts';
import { stopWaiting } from '../waiting/wait-for-position.ts';
import { depositStreams, readModelProjections } from './index.ts';

const database = databasePerTest(...groundTables);
const kinds = [depositStreams];
let log: EventLog;
let running: Projections;

/** As another process does, which has seen nothing. */
const openLog = async (): Promise<EventLog> =>
  database.closing(
    await openPostgresEventLog({
      ...{ databaseUrl: database.url, pastMs: 100 },
      remembered: rememberedPlaces(database.pool, kinds),
    }),
  );

const start = (): void => {
  const pool = createPool({ url: database.url, applicationName: 'lost ends', logger });
  const started = startProjections({ projections: readModelProjections, log, pool, logger });
  running = started;
  database.atEnd(async () => {
    await started.stop();
    await stopWaiting(pool);
    await pool.end();
  });
};

const life = (depositId: number) =>
  history(
    ...[issue({ depositId, transactionId: depositId, entityId: 1 }), seen(), kyt('passed'), ofac('clear')],
    ...[confirmed(), accept()],
  ).map(({ type, data }) => ({
    id: randomUUID(),
    type,
    data: JSON.parse(JSON.stringify(data)),
    metadata: { occurredAt: '2026-03-01T12:00:00.000Z' },
  }));

const write = async (depositId: number, from = 0, to = 6, at = log) =>
  (await at.append(depositStream(depositId), from === 0 ? 'no_stream' : from - 1, life(depositId).slice(from, to)))
    .position;

const tamper = (statement: string) =>
  database.pool.query(`ALTER TABLE events DISABLE TRIGGER USER; ${statement}; ALTER TABLE events ENABLE TRIGGER USER`);

const cut = (depositId: number, behind: number) =>
  tamper(`DELETE FROM events WHERE stream = 'deposit-${depositId}' AND revision > ${behind}`);

const read = async (at: EventLog, depositId: number): Promise<number> =>
  (await Array.fromAsync(at.read(depositStream(depositId)))).length;

const rowsOf = async (text: string) => (await database.pool.query(text)).rows;
const shown = () => rowsOf('SELECT id::int, revision::int, decision FROM deposits ORDER BY id');
const named = async () => (await running.statusOf('deposits'))?.damage.map(({ stream }) => stream) ?? [];
const until = async (position: Awaited<ReturnType<typeof write>>): Promise<void> => {
  await eventually(
    () => running.statusOf('deposits'),
    (report) => (report?.position ?? '') >= position,
  );
};
const rebuild = async (): Promise<void> => {
  expect(await running.rebuild('deposits')).toBe('started');
  await eventually(
    async () => (await rowsOf('SELECT FROM projection_rebuilds')).length,
    (left) => left === 0,
  );
};

const look = (stream?: string) => lookAtLostEnds({ log, pool: database.pool, kinds }, stream);

const acceptAll = async (stream?: string) =>
  acceptEnds(database.pool, await look(stream), 'the log was put back', async () => undefined);

beforeEach(async () => {
  log = await openLog();
});

/** Of the first two the ends are gone, of the third all is; the rows are those of what is left. */
const lost = async (): Promise<EventLog> => {
  for (const each of [1, 2, 3]) await write(each);
  start();
  await until(await write(4));
  for (const [depositId, behind] of [
    [1, 2],
    [2, 4],
    [3, -1],
  ] as const)
    await cut(depositId, behind);
  await rebuild();
  expect(await named()).toEqual(['deposit-1', 'deposit-2', 'deposit-3']);
  return log;
};

describe('A stream that ends before what was shown of it', () => {
  it('is told with what was shown and where it ends', async () => {
    await lost();
    expect(await look()).toMatchObject({
      acceptable: [
        { stream: 'deposit-1', shown: 5, endsAt: 2 },
        { stream: 'deposit-2', shown: 5, endsAt: 4 },
        { stream: 'deposit-3', shown: 5, endsAt: -1 },
      ],
      ...{ refused: [], left: 0 },
    });
  }, 40_000);

  it('goes on from there once that was accepted: in a process that saw it, in one that starts, in its rows', async () => {
    const old = await lost();
    await expect(read(old, 1)).rejects.toThrow('was seen up to 5');
    expect(await acceptAll()).toHaveLength(3);
    for (const at of [old, await openLog()]) {
      expect([await read(at, 1), await read(at, 2), await read(at, 3)]).toEqual([3, 5, 0]);
      expect(await at.lastRevision('deposit-1')).toBe(2);
    }
    await eventually(named, (streams) => streams.length === 0, 15_000);
    await until(await write(1, 3, 6, old));
    expect(await shown()).toMatchObject([
      { id: 1, revision: 5, decision: 'accepted' },
      { id: 2, revision: 4, decision: 'pending' },
      { id: 4, revision: 5 },
    ]);
    expect(await look()).toEqual({ acceptable: [], refused: [], left: 0 });
    await rebuild();
    expect(await named()).toEqual([]);
    expect(await read(await openLog(), 2)).toBe(5);
  }, 60_000);

  it('is known by its end alone to a process that has seen more of it', async () => {
    const old = await lost();
    await acceptAll();
    expect(await old.lastRevision('deposit-1')).toBe(2);
    const other = await openLog();
    await write(2, 5, 6, other);
    // Another event stands now where this process had seen one.
    expect(await read(old, 2)).toBe(6);
  }, 60_000);

  it('may be accepted alone, and leaves the others refused', async () => {
    await lost();
    expect(await acceptAll('deposit-2')).toEqual([{ stream: 'deposit-2', shown: 5, endsAt: 4 }]);
    expect(await read(log, 2)).toBe(5);
    await expect(read(await openLog(), 1)).rejects.toThrow('was seen up to 5');
  }, 40_000);

  it('is refused again where it ends before again', async () => {
    await lost();
    await acceptAll();
    expect(await read(log, 1)).toBe(3);
    await until(await write(1, 3));
    await cut(1, 2);
    for (const at of [log, await openLog()]) await expect(read(at, 1)).rejects.toThrow('was seen up to 5');
    await rebuild();
    await expect(read(await openLog(), 1)).rejects.toThrow('was seen up to 5');
    expect(await acceptAll()).toEqual([{ stream: 'deposit-1', shown: 5, endsAt: 2 }]);
    expect(await read(await openLog(), 1)).toBe(3);
  }, 60_000);

  it('is not accepted where it is broken besides, nor while its rows show what is gone', async () => {
    await lost();
    await tamper("UPDATE events SET data = '{}' WHERE stream = 'deposit-1' AND revision = 1");
    await database.pool.query('UPDATE deposits SET revision = 5 WHERE id = 2');
    expect(await look()).toMatchObject({
      acceptable: [{ stream: 'deposit-3' }],
      refused: [
        { stream: 'deposit-1', because: 'broken' },
        { stream: 'deposit-2', because: 'ahead' },
      ],
    });
    await acceptAll();
    await expect(read(await openLog(), 1)).rejects.toThrow();
  }, 40_000);
});
