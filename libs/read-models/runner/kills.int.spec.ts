import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Position } from '#event-log';
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts';
import { applications, type Ground, openGround, PAYMENTS, payment } from '../testing/ground.ts';
import { waitForPosition } from '../waiting/wait-for-position.ts';

const KILLS = 200;
const WRITERS = 3;

let database: FreshDatabase;
let ground: Ground;

beforeAll(async () => {
  database = await freshDatabase();
  ground = await openGround(database.url);
  await ground.pool.query(PAYMENTS);
});

afterAll(async () => {
  await ground.close();
  await database.drop();
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

/** Gives the position of its last append. */
const appendUntil = async (writer: number, over: AbortSignal): Promise<Position> => {
  for (let nth = 0; ; nth++) {
    const { position } = await ground.log.append(`deposit-${writer}-${nth}`, 'no_stream', [payment('1'), payment('2')]);
    if (over.aborted) return position;
    await delay(Math.random() * 8);
  }
};

describe('A projection whose connection is killed again and again while events come', () => {
  it(`has applied every event once after ${KILLS} kills`, async () => {
    const over = new AbortController();
    const pair = [ground.start(applications, 5), ground.start(applications, 50)];
    const writers = Array.from({ length: WRITERS }, (_, writer) => appendUntil(writer, over.signal));
    const killed = new Set<number>();
    while (killed.size < KILLS) {
      await delay(Math.random() * 30);
      for (const pid of await killOwner()) killed.add(pid);
    }
    over.abort();
    for (const position of await Promise.all(writers))
      expect(await waitForPosition({ ...applications, pool: ground.pool, position, withinMs: 20_000 })).toBe(true);
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
