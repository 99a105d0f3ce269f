import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { migrate } from '#platform/migrations';
import { type PostgresServer, startPostgresServer } from '../../../test/support/postgres-server.ts';
import { applications, type Ground, groundTables, openGround, PAYMENTS, payment } from '../testing/ground.ts';
import { stopWaiting, waitForPosition } from '../waiting/wait-for-position.ts';
import { startProjection } from './start-projection.ts';

let server: PostgresServer;
let ground: Ground;

beforeAll(async () => {
  server = await startPostgresServer();
  for (const each of groundTables) await migrate(server.url, each);
  ground = await openGround(server.url);
  await ground.pool.query(PAYMENTS);
});

afterAll(async () => {
  await ground.close();
  await server.stop();
});

const append = async (count = 1) => {
  const events = Array.from({ length: count }, () => payment('1'));
  return (await ground.log.append(`deposit-${events[0]?.id}`, 'no_stream', events)).position;
};

const isShown = (position: Awaited<ReturnType<typeof append>>) =>
  waitForPosition({ ...applications, pool: ground.pool, position, withinMs: 15_000 });

const timesApplied = async (): Promise<unknown> => {
  const { rows } = await ground.pool.query(
    'SELECT count(*)::int AS events, min(coalesce(times, 0)) AS least, max(times) AS most FROM events LEFT JOIN applications ON event_id = id',
  );
  return rows[0];
};

/** Lets no commit of the projection through until it is opened: a deferred trigger waits for a lock that is held here. */
const closeGateAtCommit = async () => {
  await ground.pool.query(`
    CREATE FUNCTION pass_gate() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_advisory_xact_lock_shared(4711); RETURN NULL; END';
    CREATE CONSTRAINT TRIGGER gate AFTER INSERT ON applications DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION pass_gate()`);
  const keeper = await ground.pool.connect();
  await keeper.query('SELECT pg_advisory_lock(4711)');
  return {
    reached: async (): Promise<void> => {
      const waiting = `SELECT FROM pg_stat_activity WHERE query = 'COMMIT' AND wait_event = 'advisory'`;
      while ((await ground.pool.query(waiting)).rowCount === 0);
    },
    open: async (): Promise<void> => {
      await keeper.query('SELECT pg_advisory_unlock(4711)');
      keeper.release();
    },
  };
};

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

describe('A projection outlives the trouble of its database', () => {
  it('when the server is killed and comes back', async () => {
    const running = ground.start(applications);
    expect(await isShown(await append())).toBe(true);
    await server.crash();
    expect(await isShown(await append())).toBe(true);
    expect(await timesApplied()).toEqual({ events: 2, least: 1, most: 1 });
    expect(await running.status()).toMatchObject({ state: 'running', owner: true, trouble: undefined });
    await running.stop();
  });

  it('when the answer to its commit is lost: what stands is found out, not done again', async () => {
    const shaky = new pg.Pool({ connectionString: server.shakyUrl });
    // An idle connection of it may be among those that are cut.
    shaky.on('error', () => undefined);
    const running = startProjection({ projection: applications, log: ground.log, pool: shaky, logger: quiet });
    expect(await isShown(await append())).toBe(true);
    const gate = await closeGateAtCommit();
    const position = await append(3);
    await gate.reached();
    server.hold();
    await gate.open();
    // From here on it stands in the database, and the runner does not know.
    expect(await isShown(position)).toBe(true);
    server.cut();
    expect(await isShown(await append())).toBe(true);
    expect(await timesApplied()).toMatchObject({ least: 1, most: 1 });
    expect((await running.status()).retries).toBe(1);
    await running.stop();
    await stopWaiting(shaky);
    await shaky.end();
  });

  it('when its server falls silent, and neither answers nor closes the connection', async () => {
    const shaky = new pg.Pool({ connectionString: server.shakyUrl, query_timeout: 300 });
    shaky.on('error', () => undefined);
    const { promise: gaveUp, resolve: giveUp } = Promise.withResolvers<void>();
    const logger = { ...quiet, warn: () => giveUp() };
    const running = startProjection({ projection: applications, log: ground.log, pool: shaky, logger });
    expect(await isShown(await append())).toBe(true);
    server.hold();
    const position = await append(3);
    await gaveUp;
    server.cut();
    expect(await isShown(position)).toBe(true);
    expect(await timesApplied()).toMatchObject({ least: 1, most: 1 });
    await running.stop();
    await stopWaiting(shaky);
    await shaky.end();
  });

  it('when a row is locked and its statements are cancelled for it', async () => {
    const running = ground.start(applications);
    expect(await isShown(await append())).toBe(true);
    const blocker = await ground.pool.connect();
    await blocker.query('BEGIN; LOCK TABLE applications IN EXCLUSIVE MODE');
    const position = await append();
    for (let cancelled = 0; cancelled < 3; ) {
      const { rowCount } = await ground.pool.query(
        `WITH waiting AS MATERIALIZED (
           SELECT pid FROM pg_stat_activity WHERE application_name = 'projection applications v1' AND wait_event_type = 'Lock')
         SELECT FROM waiting WHERE pg_cancel_backend(pid)`,
      );
      cancelled += rowCount ?? 0;
    }
    await blocker.query('COMMIT');
    blocker.release();
    expect(await isShown(position)).toBe(true);
    const { state, retries } = await running.status();
    expect(state).toBe('running');
    expect(retries).toBeGreaterThan(0);
    expect(await timesApplied()).toMatchObject({ least: 1, most: 1 });
    await running.stop();
  });

  it('stops at once when it is told to, even between two tries', async () => {
    const nowhere = new pg.Pool({ connectionString: 'postgres://nobody@127.0.0.1:1/none' });
    const running = startProjection({ projection: applications, log: ground.log, pool: nowhere, logger: quiet });
    await running.stop();
    expect(await running.ended).toBeUndefined();
    await nowhere.end();
  });
});
