import { expect, it } from '@jest/globals';
import type pg from 'pg';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { migrations } from '../index.ts';
import { carryAgain, NotRemembered, RelayStopped } from './carry-again.ts';
import { goOnToBus } from './on-its-bus.ts';
import { forgetRelay, keepRelayMark, moveRelay, readRelay, stopRelay } from './position.ts';
import { takeUpRelay } from './take-up-relay.ts';
import { between, keepMarks, logWithout, markOf, placeOf } from './testing/marks.ts';

const database = databasePerTest(migrations);

const MARKS = 300;
const nothing = async (): Promise<void> => undefined;
const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);

/** A log that was put back from the hundredth mark, and has taken those of the last hundred since. */
const goneOn = async () => {
  const { pool } = database;
  await keepMarks(pool, MARKS);
  await moveRelay(pool, undefined, placeOf(MARKS), markOf(MARKS));
  return { pool, ...logWithout(between(101, 200)) };
};

const onClient = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = await database.pool.connect();
  try {
    return await work(client as unknown as pg.Client);
  } finally {
    client.release();
  }
};

it('What is carried once more begins behind an event that the log holds, though another log had later ones', async () => {
  const parts = await goneOn();
  const moved = await carryAgain(parts, minutesAgo(MARKS - 150), nothing);
  expect(moved).toEqual({ from: placeOf(MARKS), to: placeOf(100) });
  expect(await readRelay(parts.pool)).toMatchObject({ position: placeOf(100), last: markOf(100) });
  expect(parts.asked.length).toBeLessThan(30);
});

it('A stream that is gone keeps nobody from what was carried beside it', async () => {
  const { pool } = await goneOn();
  const { log } = logWithout(between(250, 250));
  const moved = await carryAgain({ log, pool }, minutesAgo(MARKS - 250), nothing);
  expect(moved.to).toBe(placeOf(249));
});

it('Of a time of which the log holds nothing the oldest moment behind it is named', async () => {
  const { pool } = await goneOn();
  const { log } = logWithout(between(1, 100));
  const refusal = await carryAgain({ log, pool }, minutesAgo(MARKS - 50), nothing).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(NotRemembered);
  const { since } = refusal as NotRemembered;
  expect(since?.getTime()).toBeGreaterThan(minutesAgo(MARKS - 50).getTime());
  expect((await readRelay(pool)).position).toBe(placeOf(MARKS));
});

it('A relay that has stopped stays so, and where it stands, until it is taken up', async () => {
  const parts = await goneOn();
  const { pool } = parts;
  await moveRelay(pool, placeOf(MARKS), placeOf(150), markOf(150));
  // Nobody has looked yet.
  await expect(carryAgain(parts, minutesAgo(MARKS - 50), nothing)).rejects.toThrow(RelayStopped);
  await stopRelay(pool, await readRelay(pool), 'the log lacks it');
  await expect(carryAgain(parts, minutesAgo(MARKS - 50), nothing)).rejects.toThrow('the log lacks it');
  expect(await readRelay(pool)).toMatchObject({ position: placeOf(150), stopped: 'the log lacks it' });

  expect(await takeUpRelay(parts, nothing)).toEqual({ from: placeOf(150), to: placeOf(100) });
  expect(await carryAgain(parts, minutesAgo(MARKS - 50), nothing)).toEqual({ from: placeOf(100), to: placeOf(50) });
});

it('Another bus takes the relay back to an event that the log holds', async () => {
  const { log } = await goneOn();
  const change = (lacking: ReturnType<typeof between>, bus: string) =>
    onClient(async (client) => goOnToBus({ log: logWithout(lacking).log, client }, bus));
  await onClient((client) => goOnToBus({ log, client }, 'one'));
  expect(await change(between(201, 250), 'another')).toEqual({
    before: 'one',
    ...{ from: placeOf(MARKS), to: placeOf(200) },
  });
  await moveRelay(database.pool, placeOf(200), placeOf(MARKS), markOf(MARKS));
  // Of what is older than the hour the log holds nothing.
  expect(await change(between(1, 270), 'a third')).toMatchObject({ to: placeOf(271) });
});

it('Another bus takes the relay back to the beginning, where it remembers nothing of before the hour', async () => {
  const { pool } = database;
  await keepMarks(pool, 3);
  await moveRelay(pool, undefined, placeOf(3), markOf(3));
  const { log } = logWithout(() => false);
  await onClient((client) => goOnToBus({ log, client }, 'one'));
  // What was carried with the first mark stands before it.
  const moved = await onClient((client) => goOnToBus({ log, client }, 'another'));
  expect(moved).toEqual({ before: 'one', from: placeOf(3), to: null });
  expect(await readRelay(pool)).toMatchObject({ position: undefined, last: undefined, carriedTo: placeOf(3) });
});

it('Of what was carried long ago the last mark stays, behind which lies what came next', async () => {
  const { pool } = database;
  await keepMarks(pool, 3);
  await pool.query("UPDATE webhook_relay_marks SET kept_at = now() - interval '31 days'");
  await keepRelayMark(pool, markOf(5));
  await keepRelayMark(pool, markOf(6));
  const { rows } = await pool.query('SELECT position FROM webhook_relay_marks ORDER BY position');
  expect(rows.map(({ position }) => position)).toEqual([3, 5, 6].map(placeOf));
});

it('A place that was forgotten is not written anew by whoever carries on behind it', async () => {
  const { pool } = await goneOn();
  await forgetRelay(pool);
  expect(await moveRelay(pool, placeOf(MARKS), placeOf(MARKS + 1), markOf(MARKS + 1))).toBe(false);
  expect(await readRelay(pool)).toEqual({
    position: undefined,
    stands: undefined,
    last: undefined,
    isBehindLast: false,
    carriedTo: undefined,
    stopped: undefined,
  });
  expect(await moveRelay(pool, undefined, placeOf(1))).toBe(true);
  expect(await moveRelay(pool, undefined, placeOf(2))).toBe(false);
});
