import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { setAsideStream } from '#deposit-commands';
import type { EventLog } from '#event-log';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { eventually } from '../testing/eventually.ts';
import { groundTables } from '../testing/ground.ts';
import { openLostEnds } from './testing/lost-ends.ts';

const database = databasePerTest(...groundTables);
const {
  acceptAll,
  begin,
  cut,
  look,
  lost,
  named,
  openLog,
  putAside,
  putBack,
  read,
  rebuild,
  shown,
  start,
  tamper,
  until,
  write,
} = openLostEnds(database);
let log: EventLog;

const setAside = (depositId: number, count: number) =>
  log.append(
    setAsideStream(depositId),
    'any',
    Array.from({ length: count }, () => ({
      ...{ id: randomUUID(), type: 'SignalSetAside', data: {} },
      metadata: { occurredAt: '2026-03-01T12:00:00.000Z' },
    })),
  );

const readAside = async (at: EventLog, depositId: number, from = 0): Promise<number> =>
  (await Array.fromAsync(at.read(setAsideStream(depositId), { from }))).length;

beforeEach(async () => {
  log = await begin();
});

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
    // Another event stands now where this process had seen one, and each who reads beside others hears of it.
    expect(await Promise.all([1, 2, 3].map(() => read(old, 2)))).toEqual([6, 6, 6]);
  }, 60_000);

  it('is given up with the stream beside it, by a process that has seen more of that', async () => {
    const old = await lost();
    for (const id of [1, 4]) await setAside(id, 2);
    await tamper("DELETE FROM events WHERE stream LIKE 'signals-%' AND revision > 0");
    await expect(readAside(old, 1)).rejects.toThrow('was seen up to 1');
    await acceptAll();
    // Asked behind what is left of it, it says nothing of its end.
    expect(await readAside(old, 1, 2)).toBe(0);
    expect(await readAside(old, 1)).toBe(1);
    await setAside(1, 1);
    expect(await readAside(old, 1)).toBe(2);
    await expect(readAside(old, 4)).rejects.toThrow('was seen up to 1');
  }, 40_000);

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

  it('is refused again where it came back, was shown, and is gone once more', async () => {
    await write(1);
    await putAside(1, 2);
    start();
    await until(await write(4));
    await cut(1, 2);
    await rebuild();
    expect(await acceptAll()).toHaveLength(1);
    await putBack();
    await rebuild();
    expect(await read(await openLog(), 1)).toBe(6);
    await cut(1, 2);
    for (const _ of ['once', 'and once more']) {
      await rebuild();
      await expect(read(await openLog(), 1)).rejects.toThrow('was seen up to 5');
    }
    expect(await acceptAll()).toEqual([{ stream: 'deposit-1', shown: 5, endsAt: 2 }]);
    await rebuild();
    expect(await read(await openLog(), 1)).toBe(3);
    expect(await named()).toEqual([]);
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

  it('is looked at behind a thousand that are refused', async () => {
    await database.pool.query(`
      INSERT INTO projection_damage (name, rebuild, stream, revision, problem, shown_revision)
      SELECT 'deposits', false, 'deposit-' || id, 0, 'nothing of it was shown', -1 FROM generate_series(100, 1099) AS id;
      INSERT INTO projection_damage (name, rebuild, stream, revision, problem, shown_revision, found_at)
      VALUES ('deposits', false, 'deposit-1', 0, 'it is gone', 5, now() + interval '1 s')`);
    const looked = await look();
    expect(looked).toMatchObject({ acceptable: [{ stream: 'deposit-1', shown: 5, endsAt: -1 }], left: 0 });
    expect(looked.refused).toHaveLength(1_000);
  }, 40_000);
});
