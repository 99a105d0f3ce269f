import { describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { AnotherLog, type EventLog, type EventMark, type Position, type RecordedEvent } from '#event-log';
import { createLog } from '#platform/logging';
import {
  carryAgain,
  goOnToBus,
  keepRelayMark,
  migrations,
  moveRelay,
  readRelay,
  stopRelay,
  takeUpRelay,
} from '#webhooks';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { placeInLog } from './in-its-log.ts';

const database = databasePerTest(migrations);

const placeOf = (nth: number): Position => {
  const each = String(nth).padStart(20, '0');
  return `${each}.${each}` as Position;
};

const markOf = (nth: number): EventMark => ({
  ...{ stream: `deposit-${nth}`, revision: 0, position: placeOf(nth) },
  id: `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`,
});

/** It ends there, and holds these of ours; no other record begins at an odd place. */
const logOf = (end: number, held: readonly number[]): Pick<EventLog, 'end' | 'holds' | 'misses' | 'readAll'> => {
  const isHeld = (position: Position | undefined): boolean => held.some((nth) => placeOf(nth) === position);
  return {
    end: async () => placeOf(end),
    holds: async ({ position }) => isHeld(position),
    misses: async ({ position }) => !isHeld(position),
    async *readAll({ after } = {}) {
      if (Number(after?.slice(-1)) % 2 === 1 && !isHeld(after)) throw new AnotherLog(`stands at ${after}`);
      const behind = held.filter((nth) => after === undefined || placeOf(nth) > after);
      yield* behind.map((nth) => ({ position: placeOf(nth) }) as RecordedEvent);
    },
  };
};

it('A relay that is taken up while it is found to stand in another log is not stopped where it has come to', async () => {
  const { pool } = database;
  await moveRelay(pool, undefined, placeOf(1), markOf(1));
  await pool.query('INSERT INTO webhook_relay_marks (position, event) VALUES ($1, $2)', [
    placeOf(1),
    JSON.stringify(markOf(1)),
  ]);
  await moveRelay(pool, placeOf(1), placeOf(2), markOf(2));
  const lacking = logOf(9, [1]);
  let looks = 0;
  const log = {
    ...lacking,
    misses: async (mark: EventMark) => {
      looks += 1;
      // The last of those that it takes to be sure.
      if (looks === 10) await takeUpRelay({ log: lacking, pool }, async () => undefined);
      return lacking.misses(mark);
    },
  };
  const told: unknown[] = [];
  const { logger } = createLog({ level: 'info', to: { write: (line) => told.push(JSON.parse(line)) } });
  const client = await pool.connect();
  expect(await placeInLog({ log, logger }, client as unknown as pg.Client)).toBeUndefined();
  client.release();
  expect(told).toEqual([]);
  expect(await readRelay(pool)).toMatchObject({ position: placeOf(1), last: markOf(1), stopped: undefined });
}, 30_000);

const placeIn = async (log: ReturnType<typeof logOf>) => {
  const { logger } = createLog({ level: 'fatal', to: { write: () => undefined } });
  const client = await database.pool.connect();
  try {
    return await placeInLog({ log, logger }, client as unknown as pg.Client);
  } finally {
    client.release();
  }
};

/** It has carried the second one, and read on by what others wrote. */
const carriedAndReadTo = async (place: number): Promise<void> => {
  await moveRelay(database.pool, undefined, placeOf(2), markOf(2));
  await moveRelay(database.pool, placeOf(2), placeOf(place), undefined);
};

describe('A relay beside a log that ends before its place', () => {
  it('goes on behind what it carried last where the log lacks but what others wrote', async () => {
    await carriedAndReadTo(9);
    const back = { position: placeOf(2), last: markOf(2), isBehindLast: true, stopped: undefined };
    expect(await placeIn(logOf(5, [1, 2]))).toMatchObject(back);
    expect(await readRelay(database.pool)).toMatchObject(back);
  }, 30_000);

  it('stops where it lacks that, and where nothing was carried yet', async () => {
    await moveRelay(database.pool, undefined, placeOf(9), undefined);
    expect(await placeIn(logOf(5, []))).toBeUndefined();
    expect(await readRelay(database.pool)).toMatchObject({ position: placeOf(9), last: undefined });
    await database.pool.query('DELETE FROM webhook_relay');
    await carriedAndReadTo(9);
    expect(await placeIn(logOf(5, [1]))).toBeUndefined();
    expect(await readRelay(database.pool)).toMatchObject({ position: placeOf(9), last: markOf(2) });
  }, 30_000);

  it('stops where something of ours stands behind what it carried last: another database has written there', async () => {
    await carriedAndReadTo(9);
    expect(await placeIn(logOf(5, [2, 4]))).toBeUndefined();
    expect(await readRelay(database.pool)).toMatchObject({ position: placeOf(9), stopped: expect.any(String) });
  }, 30_000);
});

describe('A relay that stands where no record of the log begins', () => {
  it('goes on behind what it carried last, where nothing of ours stands between', async () => {
    await carriedAndReadTo(7);
    const back = { position: placeOf(2), last: markOf(2), isBehindLast: true, stopped: undefined };
    expect(await placeIn(logOf(9, [1, 2]))).toMatchObject(back);
    expect(await readRelay(database.pool)).toMatchObject(back);
  }, 30_000);

  it('stays stopped where something does', async () => {
    await carriedAndReadTo(7);
    await stopRelay(database.pool, { position: placeOf(7), last: markOf(2) }, 'its subscription ended there');
    expect(await placeIn(logOf(9, [2, 4]))).toBeUndefined();
    expect(await readRelay(database.pool)).toMatchObject({
      position: placeOf(7),
      stopped: 'its subscription ended there',
    });
  }, 30_000);
});

describe('A relay that was brought back', () => {
  it('goes on behind what it carried last, wherever it has read to since, until it carries another one', async () => {
    await carriedAndReadTo(9);
    await placeIn(logOf(5, [2]));
    await moveRelay(database.pool, placeOf(2), placeOf(6), undefined);
    expect(await readRelay(database.pool)).toMatchObject({ stands: placeOf(6) });
    const back = { position: placeOf(2), last: markOf(2), isBehindLast: true, stopped: undefined };
    expect([await readRelay(database.pool), await placeIn(logOf(9, [2, 4]))]).toMatchObject([back, back]);
    await moveRelay(database.pool, placeOf(2), placeOf(6), markOf(4));
    const onward = { position: placeOf(6), last: markOf(4), isBehindLast: false, stopped: undefined };
    expect([await readRelay(database.pool), await placeIn(logOf(9, [2, 4]))]).toMatchObject([onward, onward]);
  }, 30_000);

  const again = {
    'once more': (log: ReturnType<typeof logOf>) =>
      carryAgain({ log, pool: database.pool }, new Date(Date.now() - 3_600_000), async () => undefined),
    'to another bus': async (log: ReturnType<typeof logOf>) => {
      const client = (await database.pool.connect()) as unknown as pg.Client & pg.PoolClient;
      for (const bus of ['one', 'another']) await goOnToBus({ log, client }, bus);
      client.release();
    },
  };

  it.each(Object.entries(again))(
    'does so too where it carries %s what it had carried before',
    async (_, carry) => {
      await keepRelayMark(database.pool, markOf(1));
      await database.pool.query("UPDATE webhook_relay_marks SET kept_at = now() - interval '2 hours'");
      await keepRelayMark(database.pool, markOf(2));
      await carriedAndReadTo(9);
      const copy = logOf(5, [1, 2]);
      await placeIn(copy);
      await carry(copy);
      expect(await readRelay(database.pool)).toMatchObject({ stands: placeOf(1), last: markOf(1) });
      await moveRelay(database.pool, placeOf(1), placeOf(2), markOf(2));
      await moveRelay(database.pool, placeOf(2), placeOf(5), undefined);
      // Behind it something of ours stands in the own log, which nobody had carried when the other one came.
      const back = { position: placeOf(2), last: markOf(2), isBehindLast: true, stopped: undefined };
      expect([await readRelay(database.pool), await placeIn(logOf(9, [1, 2, 4]))]).toMatchObject([back, back]);
      await moveRelay(database.pool, placeOf(2), placeOf(4), markOf(4));
      await moveRelay(database.pool, placeOf(4), placeOf(6), undefined);
      expect(await readRelay(database.pool)).toMatchObject({ position: placeOf(6), isBehindLast: false });
    },
    30_000,
  );

  it('does so too where it was carrying again when the other one came, which lacks what it had carried', async () => {
    const { pool } = database;
    await keepRelayMark(pool, markOf(1));
    await moveRelay(pool, undefined, placeOf(4), markOf(4));
    await carryAgain({ log: logOf(9, [1, 2, 4]), pool }, new Date(), async () => undefined);
    await moveRelay(pool, placeOf(1), placeOf(2), markOf(2));
    await placeIn(logOf(8, [1, 2]));
    await moveRelay(pool, placeOf(2), placeOf(8), undefined);
    const back = { position: placeOf(2), last: markOf(2), isBehindLast: true, stopped: undefined };
    expect(await placeIn(logOf(20, [1, 2, 4, 6]))).toMatchObject(back);
  }, 30_000);
});
