import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Position } from '#event-log';
import { databasePerFile } from '../../../test/support/with-database.ts';
import { applications, type Ground, groundTables, openGround, PAYMENTS, payment } from '../testing/ground.ts';
import { waitForPosition } from '../waiting/wait-for-position.ts';

const KILLS = 200;
const WRITERS = 3;

const database = databasePerFile(...groundTables);
let ground: Ground;

beforeAll(async () => {
  ground = database.closing(await openGround(database.url));
  await ground.pool.query(PAYMENTS);
});

/** Kills the connection that owns the projection, if one does just now. */
const killOwner = async (): Promise<number[]> => {
  const { rows } = await ground.pool.query<{ pid: number }>(
    `WITH owner AS MATERIALIZED (
       SELECT pid FROM pg_locks JOIN pg_stat_activity USING (pid)
       WHERE locktype = 'advisory' AND granted AND datname = current_database()
         AND application_name = 'projection applications v1')
     SELECT pid FROM owner WHERE pg_terminate_backend(pid)`,
  );
  return rows.map(({ pid }) => pid);
};

/** A few deposits, one after the other; gives the position of the last. */
const append = async (writer: string): Promise<Position> => {
  const write = (nth: number) =>
    ground.log.append(`deposit-${writer}-${nth}`, 'no_stream', [payment('1'), payment('2')]);
  await write(0);
  await delay(Math.random() * 8);
  return (await write(1)).position;
};

describe('A projection whose connection is killed again and again while events come', () => {
  it(`has applied every event once after ${KILLS} kills`, async () => {
    const pair = [ground.start(applications, 5), ground.start(applications, 50)];
    const killed = new Set<number>();
    const killAnother = async (): Promise<void> => {
      const before = killed.size;
      do {
        await delay(Math.random() * 30);
        for (const pid of await killOwner()) killed.add(pid);
      } while (killed.size === before);
    };
    let last: readonly Position[] = [];
    while (killed.size < KILLS) {
      const writers = Array.from({ length: WRITERS }, (_, nth) => append(`${killed.size}-${nth}`));
      [last] = await Promise.all([Promise.all(writers), killAnother()]);
    }
    for (const position of last)
      expect(await waitForPosition({ ...applications, pool: ground.pool, position, withinMs: 60_000 })).toBe(true);
    const { rows } = await ground.pool.query(
      `SELECT count(*) FILTER (WHERE times IS NULL) AS skipped, count(*) FILTER (WHERE times > 1) AS doubled,
           count(*) > 500 AS many
         FROM events LEFT JOIN applications ON event_id = id`,
    );
    expect(rows).toEqual([{ skipped: '0', doubled: '0', many: true }]);
    const statuses = await Promise.all(pair.map((each) => each.status()));
    expect(statuses.map(({ state }) => state)).toEqual(['running', 'running']);
  }, 120_000);
});
