import { expect, it } from '@jest/globals';
import pg from 'pg';
import type { EventMark, Position } from '#event-log';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { migrations } from '../index.ts';
import { moveRelay, readRelay, readRelayPosition } from './position.ts';
import { takeUpRelay } from './take-up-relay.ts';

const database = databasePerTest(migrations);

const placeOf = (nth: number): Position => {
  const each = String(nth).padStart(20, '0');
  return `${each}.${each}` as Position;
};

const markOf = (nth: number): EventMark => ({
  ...{ stream: `deposit-${nth}`, revision: 0, position: placeOf(nth) },
  id: `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`,
});

const MARKS = 5_000;

const relayAt = async (nth: number) =>
  moveRelay(database.pool, await readRelayPosition(database.pool), placeOf(nth), markOf(nth));

/** What the relay remembers of the days that the log was put back by. */
const remember = async (): Promise<void> => {
  const marks = Array.from({ length: MARKS }, (_, nth) => markOf(nth + 1));
  await database.pool.query(
    `INSERT INTO webhook_relay_marks (position, event)
     SELECT mark ->> 'position', mark FROM jsonb_array_elements($1::jsonb) AS mark`,
    [JSON.stringify(marks)],
  );
  await relayAt(MARKS);
};

/** One that was put back to that mark, and has become as long again by what nobody here knows. */
const logUpTo = (held: number) => {
  const asked: Position[] = [];
  return {
    asked,
    log: {
      end: async () => placeOf(MARKS + 1),
      misses: async ({ position }: EventMark) => {
        asked.push(position);
        return position > placeOf(held);
      },
    },
  };
};

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
      last: held === 0 ? undefined : markOf(held),
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
