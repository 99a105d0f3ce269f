import { describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import type { EventMark, Position } from '#event-log';
import { createLog } from '#platform/logging';
import { migrations, moveRelay, readRelay, takeUpRelay } from '#webhooks';
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

it('A relay that is taken up while it is found to stand in another log is not stopped where it has come to', async () => {
  const { pool } = database;
  await moveRelay(pool, undefined, placeOf(1), markOf(1));
  await pool.query('INSERT INTO webhook_relay_marks (position, event) VALUES ($1, $2)', [
    placeOf(1),
    JSON.stringify(markOf(1)),
  ]);
  await moveRelay(pool, placeOf(1), placeOf(2), markOf(2));
  const lacking = { end: async () => placeOf(9), misses: async ({ position }: EventMark) => position > placeOf(1) };
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
  expect(await readRelay(pool)).toEqual({ position: placeOf(1), last: markOf(1), stopped: undefined });
}, 30_000);

/** It ends there, and holds all of ours up to one of them. */
const endingAt = (end: number, held: number) => ({
  end: async () => placeOf(end),
  misses: async ({ position }: EventMark) => position > placeOf(held),
});

const placeIn = async (log: ReturnType<typeof endingAt>) => {
  const { logger } = createLog({ level: 'fatal', to: { write: () => undefined } });
  const client = await database.pool.connect();
  try {
    return await placeInLog({ log, logger }, client as unknown as pg.Client);
  } finally {
    client.release();
  }
};

describe('A relay beside a log that ends before its place', () => {
  it('goes on behind what it carried last where the log lacks but what others wrote', async () => {
    const { pool } = database;
    await moveRelay(pool, undefined, placeOf(2), markOf(2));
    await moveRelay(pool, placeOf(2), placeOf(9), undefined);
    const back = { position: placeOf(2), last: markOf(2), stopped: undefined };
    expect(await placeIn(endingAt(5, 2))).toEqual(back);
    expect(await readRelay(pool)).toEqual(back);
  }, 30_000);

  it('stops where it lacks that, and where nothing was carried yet', async () => {
    const { pool } = database;
    await moveRelay(pool, undefined, placeOf(9), undefined);
    expect(await placeIn(endingAt(5, 5))).toBeUndefined();
    expect(await readRelay(pool)).toMatchObject({ position: placeOf(9), last: undefined });
    await pool.query('DELETE FROM webhook_relay');
    await moveRelay(pool, undefined, placeOf(2), markOf(2));
    await moveRelay(pool, placeOf(2), placeOf(9), undefined);
    expect(await placeIn(endingAt(5, 1))).toBeUndefined();
    expect(await readRelay(pool)).toMatchObject({ position: placeOf(9), last: markOf(2) });
  }, 30_000);
});
