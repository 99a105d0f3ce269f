import { expect, it } from '@jest/globals';
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
