import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { databasePerFile } from '../../../test/support/with-database.ts';
import { createFreshness } from '../freshness.ts';
import { eventually } from '../testing/eventually.ts';
import {
  type Ground,
  groundTables,
  openGround,
  PAYMENTS,
  PAYMENTS_AND_TABLES,
  payment,
  payments,
} from '../testing/ground.ts';
import { type Projections, startProjections } from './start-projections.ts';

const database = databasePerFile(...groundTables);
let ground: Ground;
let running: Projections[] = [];

beforeAll(async () => {
  ground = database.closing(await openGround(database.url));
});

beforeEach(async () => {
  await ground.pool.query(`DROP TABLE IF EXISTS payments, casino_totals, applications, events_aside;
    ALTER TABLE events DISABLE TRIGGER USER; TRUNCATE events, projection_checkpoints, projection_rebuilds; ${PAYMENTS}`);
});

afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()));
  running = [];
});

const LOOK_AT_LOG_EVERY_MS = 200;

const LOOKED_OFTEN_MS = 2_000;

const start = (on: Ground = ground): Projections => {
  const { log, pool } = on;
  const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const projections = [PAYMENTS_AND_TABLES, { projection: untaken, tables: ['applications'] }];
  const started = startProjections({ projections, log, pool, logger, lookAtLogEveryMs: LOOK_AT_LOG_EVERY_MS });
  running.push(started);
  return started;
};

/** It takes none of what is written here, and passes it all. */
const untaken = { name: 'untaken', version: 1, filter: { types: ['Unheard'] }, project: () => [] };

const states = async (): Promise<readonly string[]> => {
  const { rows } = await ground.pool.query<{ state: string }>('SELECT state FROM projection_checkpoints ORDER BY name');
  return rows.map(({ state }) => state);
};

const until = (...awaited: readonly string[]) => eventually(states, (now) => now.join() === awaited.join());

const append = (stream: string, ...amounts: readonly string[]) =>
  ground.log.append(
    stream,
    'no_stream',
    amounts.map((amount) => payment(amount)),
  );

const totals = async (): Promise<unknown> =>
  (await ground.pool.query('SELECT payments::int, amount::text FROM casino_totals')).rows[0];

const shown = async (): Promise<void> => {
  const before = start();
  await append('deposit-1', '1', '2');
  await append('deposit-2', '4');
  const all = await ground.log.head();
  const places = 'SELECT position FROM projection_checkpoints';
  await eventually(
    async () => (await ground.pool.query<{ position: string | null }>(places)).rows,
    (rows) => rows.length === 2 && rows.every(({ position }) => position === all),
  );
  await before.stop();
};

const takeAside = (which = ''): Promise<unknown> =>
  ground.pool.query(`CREATE TABLE events_aside AS SELECT * FROM events ${which}; DELETE FROM events ${which}`);

const putBack = (): Promise<unknown> =>
  ground.pool.query('INSERT INTO events OVERRIDING SYSTEM VALUE SELECT * FROM events_aside');

const isListed = (): Promise<boolean> => createFreshness({ projection: payments, ...ground }).isUpToDate(300);

describe('A projection that has stopped beside a log that is not the one of its place', () => {
  it('goes on by itself once its own is there again, before anything is written to it, and takes nothing twice', async () => {
    await shown();
    await takeAside();
    start();
    await until('stopped', 'stopped');
    await delay(LOOKED_OFTEN_MS);
    expect([await states(), await isListed()]).toEqual([['stopped', 'stopped'], false]);
    await putBack();
    await until('running', 'running');
    expect([await totals(), await isListed()]).toEqual([{ payments: 3, amount: '7' }, true]);
    await append('deposit-3', '8');
    await eventually(totals, (now) => JSON.stringify(now) === '{"payments":4,"amount":"15"}');
  });

  it('goes on in a process that did not write so', async () => {
    await shown();
    await takeAside();
    const first = start();
    const elsewhere = await openGround(database.url);
    try {
      const second = start(elsewhere);
      await until('stopped', 'stopped');
      await first.stop();
      await putBack();
      await until('running', 'running');
      await append('deposit-3', '8');
      await eventually(totals, (now) => JSON.stringify(now) === '{"payments":4,"amount":"15"}');
      await second.stop();
    } finally {
      await elsewhere.close();
    }
  });

  it('goes on after a restart, before anything is written', async () => {
    await shown();
    await takeAside();
    const before = start();
    await until('stopped', 'stopped');
    await before.stop();
    await putBack();
    start();
    await until('running', 'running');
    expect(await totals()).toEqual({ payments: 3, amount: '7' });
  });

  it('stays stopped though the log is longer since, where it does not hold what was taken last', async () => {
    await shown();
    await takeAside("WHERE stream = 'deposit-2'");
    const before = start();
    await until('stopped', 'stopped');
    await append('deposit-3', '8');
    await delay(LOOKED_OFTEN_MS);
    expect(await states()).toEqual(['stopped', 'stopped']);
    await before.stop();
    start();
    await delay(LOOKED_OFTEN_MS);
    expect([await states(), await totals()]).toEqual([['stopped', 'stopped'], { payments: 3, amount: '7' }]);
  });

  it('stays stopped where nobody knows what was taken last, until it is rebuilt', async () => {
    await shown();
    await takeAside();
    await ground.pool.query('UPDATE projection_checkpoints SET last_event = NULL');
    const projections = start();
    await until('stopped', 'stopped');
    await putBack();
    await delay(LOOKED_OFTEN_MS);
    expect(await states()).toEqual(['stopped', 'stopped']);
    await projections.rebuild('payments');
    await until('running', 'stopped');
    // What another takes since is of whatever log that was rebuilt from.
    await append('deposit-3', '8');
    await delay(LOOKED_OFTEN_MS);
    expect(await states()).toEqual(['running', 'stopped']);
    await projections.rebuild('untaken');
    await until('running', 'running');
    expect(await totals()).toEqual({ payments: 4, amount: '15' });
  });
});

describe('A projection that has stopped before an event that it cannot take', () => {
  it('stays stopped, though the log holds its place', async () => {
    start();
    await append('deposit-1', '1', '-13');
    await until('stopped', 'running');
    const since = 'SELECT updated_at FROM projection_checkpoints WHERE name = $1';
    const { rows } = await ground.pool.query(since, [payments.name]);
    await delay(LOOKED_OFTEN_MS);
    expect((await ground.pool.query(since, [payments.name])).rows).toEqual(rows);
    expect(await states()).toEqual(['stopped', 'running']);
  });
});
