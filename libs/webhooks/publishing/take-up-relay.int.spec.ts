import { expect, it } from '@jest/globals';
import pg from 'pg';
import type { EventMark } from '#event-log';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { migrations } from '../index.ts';
import { moveRelay, readRelay, readRelayPosition, stopRelay } from './position.ts';
import { takeUpRelay } from './take-up-relay.ts';
import { between, keepMarks, logWithout, markOf, placeOf } from './testing/marks.ts';

const database = databasePerTest(migrations);

const MARKS = 5_000;

const relayAt = async (nth: number) =>
  moveRelay(database.pool, await readRelayPosition(database.pool), placeOf(nth), markOf(nth));

/** What the relay remembers of the days that the log was put back by. */
const remember = async (): Promise<void> => {
  await keepMarks(database.pool, MARKS);
  await relayAt(MARKS);
};

/** One that was put back to that mark, and has become as long again by what nobody here knows. */
const logUpTo = (held: number) => logWithout((position) => position > placeOf(held));

/** Its server bears a transaction in which nothing happens for less time than it takes to be sure of what a log lacks. */
const hurriedPool = (): pg.Pool => {
  const options = '-c idle_in_transaction_session_timeout=1s';
  const pool = new pg.Pool({ connectionString: database.url, options });
  pool.on('error', () => undefined);
  database.atEnd(() => pool.end());
  return pool;
};

const marksKept = async (): Promise<number> =>
  (await database.pool.query<{ count: number }>('SELECT count(*)::int FROM webhook_relay_marks')).rows[0]?.count ?? 0;

it.each([4_999, 1_234, 1, 0])(
  'The last of thousands of marks that a log holds (%i) is found by few questions, and no transaction waits for them',
  async (held) => {
    await remember();
    const { log, asked } = logUpTo(held);
    const to = held === 0 ? null : placeOf(held);
    const written: unknown[] = [];
    const moved = await takeUpRelay({ log, pool: hurriedPool() }, async (_, each) => void written.push(each));
    expect([moved, written]).toEqual([{ from: placeOf(MARKS), to }, [moved]]);
    expect(await readRelay(database.pool)).toEqual({
      position: to ?? undefined,
      stands: to ?? undefined,
      last: held === 0 ? undefined : markOf(held),
      isBehindLast: held !== 0,
      stopped: undefined,
    });
    expect(await marksKept()).toBe(held);
    expect(asked.length).toBeLessThan(40);
  },
  30_000,
);

it('A relay that has moved while its marks were looked at is looked at anew', async () => {
  await remember();
  const { log } = logUpTo(2_000);
  let looks = 0;
  const moving = {
    end: log.end,
    misses: async (mark: EventMark) => {
      looks += 1;
      // Taken up by somebody else, who came behind all of what was asked to be sure.
      if (looks === 15) await relayAt(1_500);
      return log.misses(mark);
    },
  };
  const written: unknown[] = [];
  const moved = await takeUpRelay({ log: moving, pool: hurriedPool() }, async (_, each) => void written.push(each));
  expect([moved, written]).toEqual([undefined, []]);
  expect(await readRelay(database.pool)).toMatchObject({ position: placeOf(1_500) });
  expect(await marksKept()).toBe(MARKS);
}, 30_000);

it.each([
  ['that the log before took, with those of this one behind them', between(1_001, 2_000), 2_000, 1_000],
  ['of a stream that is gone', between(2_000, 2_000), 2_000, 1_999],
  ['of which the log holds none up to there', between(1, MARKS - 1), 2_000, undefined],
  ['that are all there', between(0, 0), 2_000, 2_000],
])(
  'A relay that has stopped goes on whatever marks lie about: %s',
  async (_, lacking, stands, held) => {
    await remember();
    await relayAt(stands);
    const standing = await readRelay(database.pool);
    expect(await stopRelay(database.pool, standing, 'the log lacks what was carried')).toBe(true);
    const { log, asked } = logWithout(lacking);
    const to = held === undefined ? null : placeOf(held);
    expect(await takeUpRelay({ log, pool: hurriedPool() }, async () => undefined)).toEqual({
      from: placeOf(stands),
      to,
    });
    expect(await readRelay(database.pool)).toMatchObject({ position: to ?? undefined, stopped: undefined });
    expect(await marksKept()).toBe(held ?? 0);
    expect(asked.length).toBeLessThan(40);
    expect(await takeUpRelay({ log, pool: database.pool }, async () => undefined)).toBeUndefined();
  },
  30_000,
);
