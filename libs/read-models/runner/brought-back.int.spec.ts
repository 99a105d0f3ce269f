import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type EventLog, parsePosition } from '#event-log';
import { databasePerFile } from '../../../test/support/with-database.ts';
import { createFreshness } from '../freshness.ts';
import { eventually } from '../testing/eventually.ts';
import { type Ground, groundTables, listenTo, openGround, PAYMENTS, payment, payments } from '../testing/ground.ts';
import { moveCheckpoint, readCheckpoint } from './checkpoint.ts';
import { type RunningProjection, startProjection } from './start-projection.ts';
import { projectionStatus } from './status.ts';

const database = databasePerFile(...groundTables);
let ground: Ground;

beforeAll(async () => {
  ground = database.closing(await openGround(database.url));
});

beforeEach(() =>
  ground.pool.query(`DROP TABLE IF EXISTS payments, casino_totals, applications, events_aside;
    ALTER TABLE events DISABLE TRIGGER USER; TRUNCATE events, projection_checkpoints, projection_rebuilds; ${PAYMENTS}`),
);

const FAR = `${'9'.repeat(20)}.${'9'.repeat(20)}`;

const run = (log: EventLog = ground.log): RunningProjection & { readonly lines: readonly { message: string }[] } => {
  const { logger, lines } = listenTo();
  return { ...startProjection({ projection: payments, log, pool: ground.pool, logger }), lines };
};

const append = (stream: string, amount: string, type?: string) =>
  ground.log.append(stream, 'no_stream', [payment(amount, type)]);

const total = async (): Promise<unknown> =>
  (await ground.pool.query('SELECT payments::int, amount::text FROM casino_totals')).rows[0];

const place = async () => (await readCheckpoint(ground.pool, payments)).position;

/** As the database has it. */
const stored = async (): Promise<string | null> =>
  (await ground.pool.query("SELECT position FROM projection_checkpoints WHERE name = 'payments'")).rows[0]?.position;

const untilStored = (position: string) => eventually(stored, (now) => now === position);

const takeAside = (stream: string): Promise<unknown> =>
  ground.pool.query(
    `CREATE TABLE events_aside AS SELECT * FROM events WHERE stream = '${stream}'; DELETE FROM events WHERE stream = '${stream}'`,
  );

const putBack = (): Promise<unknown> =>
  ground.pool.query('INSERT INTO events OVERRIDING SYSTEM VALUE SELECT * FROM events_aside');

/** Of its own log it has taken the first, and read on behind what nobody has taken yet; a copy without that is there now. */
const besideACopy = async () => {
  const before = run();
  const { position } = await append('deposit-1', '1');
  await eventually(place, (now) => now === position);
  await untilStored(position);
  await before.stop();
  await append('deposit-2', '2');
  await takeAside('deposit-2');
  await ground.pool.query('UPDATE projection_checkpoints SET position = $1', [FAR]);
};

/** By what others write there. */
const readOnInTheCopy = async (stream = 'others-1') => {
  const { position } = await append(stream, '100', 'Unheard');
  await untilStored(position);
  expect(await projectionStatus({ ...ground, projection: payments })).toMatchObject({ position, caughtUp: true });
};

const BOTH = { payments: 2, amount: '3' };

describe('A projection that was brought back in a copy of its log, and read on there past what others wrote', () => {
  it('takes what nobody had taken of its own, once that is there again', async () => {
    await besideACopy();
    const there = run();
    await readOnInTheCopy();
    await there.stop();
    await putBack();
    const own = run();
    await eventually(total, (now) => JSON.stringify(now) === JSON.stringify(BOTH));
    await own.stop();
  }, 60_000);

  it('takes it where the servers were exchanged under it', async () => {
    await besideACopy();
    const own = run();
    await readOnInTheCopy();
    await putBack();
    await ground.pool.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await eventually(total, (now) => JSON.stringify(now) === JSON.stringify(BOTH));
    await own.stop();
  }, 60_000);

  it('reads on where it stands again once it has taken another one, and nothing twice', async () => {
    await besideACopy();
    const there = run();
    await readOnInTheCopy();
    await append('deposit-3', '4');
    await eventually(total, (now) => JSON.stringify(now) === '{"payments":2,"amount":"5"}');
    await readOnInTheCopy('others-2');
    const stands = await stored();
    await there.stop();
    const again = run();
    await delay(1_000);
    expect([await stored(), await place(), await total()]).toEqual([stands, stands, { payments: 2, amount: '5' }]);
    await again.stop();
  }, 60_000);

  it('has a rebuild that came as far there begin anew, since that has read none of its own log behind it', async () => {
    await besideACopy();
    const there = run();
    await readOnInTheCopy();
    await there.stop();
    await ground.pool.query(
      `INSERT INTO projection_rebuilds (name, version, state, position, events) VALUES ('payments', 1, 'filling', $1, 1)`,
      [await stored()],
    );
    await putBack();
    const own = run();
    await eventually(total, (now) => JSON.stringify(now) === JSON.stringify(BOTH));
    const { rows } = await ground.pool.query('SELECT state, position, events::int FROM projection_rebuilds');
    expect(rows).toEqual([{ state: 'requested', position: null, events: 0 }]);
    await own.stop();
  }, 60_000);

  it('shows no list as whole until somebody reads that log on from its last event', async () => {
    await besideACopy();
    const there = run();
    await readOnInTheCopy();
    const freshness = createFreshness({ projection: payments, ...ground });
    expect(await freshness.isUpToDate(3_000)).toBe(true);
    await there.stop();
    await putBack();
    expect(await freshness.isUpToDate(500)).toBe(false);
    const own = run();
    expect(await freshness.isUpToDate(10_000)).toBe(true);
    expect(await total()).toEqual(BOTH);
    await own.stop();
  }, 60_000);

  it('goes by its place where a release of before has rebuilt it, which knows nothing of that', async () => {
    await besideACopy();
    const there = run();
    await readOnInTheCopy();
    await there.stop();
    const stands = await stored();
    await ground.pool.query('UPDATE projection_checkpoints SET last_event = NULL');
    expect(await readCheckpoint(ground.pool, payments)).toMatchObject({ position: stands, isBehindLast: false });
  }, 60_000);
});

describe('What was taken up of a stream that is whole again', () => {
  it.each([
    ['is not what is read again, where it stands behind the last event', 1, false],
    ['says nothing of what stands behind the last event, where it stands before that', -1, true],
  ])(
    '%s',
    async (_, side, isBehindLast) => {
      await besideACopy();
      const there = run();
      await readOnInTheCopy();
      await there.stop();
      const { last, switches } = await readCheckpoint(ground.pool, payments);
      const stands = parsePosition(String(await stored()));
      const [before, behind] = [parsePosition(`${'0'.repeat(20)}.${'0'.repeat(20)}`), stands];
      const takenUp = side > 0 ? behind : before;
      expect(last && takenUp > last.position).toBe(side > 0);
      await moveCheckpoint(ground.pool, payments, { from: stands, to: stands, events: 0, takenUp, switches });
      expect(await readCheckpoint(ground.pool, payments)).toMatchObject({ last, isBehindLast });
    },
    60_000,
  );
});
