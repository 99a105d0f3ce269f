import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type Position, parsePosition } from '#event-log';
import { databasePerFile } from '../../../test/support/with-database.ts';
import { applications, type Ground, groundTables, openGround, PAYMENTS, payment } from '../testing/ground.ts';
import { stopWaiting, waitForPosition } from './wait-for-position.ts';

const FAR: Position = parsePosition(`${'9'.repeat(20)}.${'9'.repeat(20)}`);

const database = databasePerFile(...groundTables);
let ground: Ground;
/** The pool of an instance that runs no projection. */
let elsewhere: pg.Pool;
/** Queries that went over that pool. */
let asked = 0;

beforeAll(async () => {
  ground = database.closing(await openGround(database.url));
  await ground.pool.query(PAYMENTS);
  elsewhere = new pg.Pool({ connectionString: database.url, max: 2 });
  // `end` does not wait for the sockets: dropping the database may still catch one.
  elsewhere.on('error', () => undefined);
  elsewhere.on('acquire', () => {
    asked++;
  });
  database.atEnd(async () => {
    await stopWaiting(elsewhere);
    await elsewhere.end();
  });
  ground.start(applications);
});

const append = async (): Promise<Position> => {
  const event = payment('1');
  return (await ground.log.append(`deposit-${event.id}`, 'no_stream', [event])).position;
};

const shown = (pool: pg.Pool, position: Position, withinMs: number): Promise<boolean> =>
  waitForPosition({ ...applications, pool, position, withinMs });

const isApplied = async (position: Position): Promise<boolean> => {
  const { rows } = await elsewhere.query('SELECT position >= $1 AS shown FROM projection_checkpoints', [position]);
  return rows[0]?.shown === true;
};

const listeners = async (): Promise<number> => {
  const { rows } = await ground.pool.query(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE application_name = 'projection listener' AND datname = current_database()`,
  );
  return rows[0]?.n;
};

const took = async (call: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await call();
  return performance.now() - start;
};

describe('Whoever wrote waits for its position', () => {
  it('and reads its own write, on the owner’s instance and on another', async () => {
    for (const pool of [ground.pool, elsewhere]) {
      const position = await append();
      expect(await shown(pool, position, 5_000)).toBe(true);
      expect(await isApplied(position)).toBe(true);
    }
  });

  it('gets its answer at once for what was shown long ago', async () => {
    const position = await append();
    await shown(ground.pool, position, 5_000);
    expect(await shown(ground.pool, position, 0)).toBe(true);
    expect(await shown(elsewhere, position, 5_000)).toBe(true);
  });

  it('is told no at its bound, neither before nor much later', async () => {
    for (const pool of [ground.pool, elsewhere]) {
      const ms = await took(async () => expect(await shown(pool, FAR, 150)).toBe(false));
      expect(ms).toBeGreaterThanOrEqual(149);
      expect(ms).toBeLessThan(1_000);
    }
  });

  it('is told no for a projection that nobody runs', async () => {
    expect(await waitForPosition({ name: 'none', version: 1, pool: elsewhere, position: FAR, withinMs: 50 })).toBe(
      false,
    );
  });

  it('is told no, and no error, when the database is gone', async () => {
    const nowhere = new pg.Pool({ connectionString: 'postgres://nobody@127.0.0.1:1/none' });
    expect(await shown(nowhere, FAR, 100)).toBe(false);
    await stopWaiting(nowhere);
    await nowhere.end();
  });

  it('shares one connection and one query with a thousand others', async () => {
    await shown(elsewhere, FAR, 50);
    const before = asked;
    const connected = await listeners();
    const positions: Position[] = [];
    for (let nth = 0; nth < 20; nth++) positions.push(await append());
    const waits = Array.from({ length: 1_000 }, (_, nth) => shown(elsewhere, positions[nth % 20] ?? FAR, 10_000));
    const hopeless = Array.from({ length: 1_000 }, () => shown(elsewhere, FAR, 300));
    expect(new Set(await Promise.all(waits))).toEqual(new Set([true]));
    expect(new Set(await Promise.all(hopeless))).toEqual(new Set([false]));
    expect(asked - before).toBeLessThan(20);
    expect(await listeners()).toBeLessThanOrEqual(connected);
  });

  it('is woken by the owner’s word, with no query left to ask', async () => {
    const taken = [await elsewhere.connect(), await elsewhere.connect()];
    for (let nth = 0; nth < 5; nth++) expect(await shown(elsewhere, await append(), 5_000)).toBe(true);
    for (const client of taken) client.release();
  });

  it('gets there by asking, where no connection is left to listen on', async () => {
    const role = `deaf_${randomBytes(4).toString('hex')}`;
    await ground.pool.query(`CREATE ROLE ${role} LOGIN PASSWORD 'deaf' CONNECTION LIMIT 1;
      GRANT SELECT ON projection_checkpoints TO ${role}`);
    const url = new URL(database.url);
    url.username = role;
    url.password = 'deaf';
    const deaf = new pg.Pool({ connectionString: url.href, max: 1, idleTimeoutMillis: 0 });
    try {
      await deaf.query('SELECT');
      for (let nth = 0; nth < 3; nth++) expect(await shown(deaf, await append(), 5_000)).toBe(true);
    } finally {
      await stopWaiting(deaf);
      await deaf.end();
      await ground.pool.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    }
  });

  it('is found again by the owner when its listening connection was killed', async () => {
    await shown(elsewhere, FAR, 50);
    const killed = await ground.pool.query(
      `WITH listeners AS MATERIALIZED (
         SELECT pid FROM pg_stat_activity WHERE application_name = 'projection listener' AND datname = current_database())
       SELECT FROM listeners WHERE pg_terminate_backend(pid)`,
    );
    expect(killed.rowCount).toBeGreaterThan(0);
    const taken = [await elsewhere.connect(), await elsewhere.connect()];
    expect(await shown(elsewhere, await append(), 5_000)).toBe(true);
    for (const client of taken) client.release();
  });
});
