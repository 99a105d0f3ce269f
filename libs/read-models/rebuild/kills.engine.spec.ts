import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { databasePerFile } from '../../../test/support/with-database.ts';
import type { Projections } from '../running/start-projections.ts';
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
import { waitForPosition } from '../waiting/wait-for-position.ts';

const PAID = 600;

const database = databasePerFile(...groundTables);
let ground: Ground;
const children: ChildProcess[] = [];

beforeAll(async () => {
  ground = database.closing(await openGround(database.url));
});

beforeEach(async () => {
  await ground.pool.query(`DROP TABLE IF EXISTS payments, casino_totals, applications;
    ALTER TABLE events DISABLE TRIGGER USER; TRUNCATE events, projection_checkpoints, projection_rebuilds; ${PAYMENTS}`);
});

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
});

const rows = async (text: string): Promise<Record<string, unknown>[]> => (await ground.pool.query(text)).rows;

/** Another process, the only one until the test starts its own. */
const startOther = (): ChildProcess => {
  const script = fileURLToPath(new URL('../testing/rebuilding-instance.ts', import.meta.url));
  const child = spawn(process.execPath, ['--conditions=source', script, database.url], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  children.push(child);
  return child;
};

const kill = async (child: ChildProcess): Promise<void> => {
  child.kill('SIGKILL');
  await once(child, 'exit');
};

const append = async (stream: string, count: number): Promise<void> => {
  const events = Array.from({ length: count }, () => payment('0.50'));
  const { position } = await ground.log.append(stream, 'no_stream', events);
  expect(await waitForPosition({ ...payments, pool: ground.pool, position, withinMs: 20_000 })).toBe(true);
};

/** As an operator does, whose request met an instance that died since. */
const askForRebuild = () => ground.pool.query(`INSERT INTO projection_rebuilds (name, version) VALUES ('payments', 1)`);

const untilDone = (running: Projections) =>
  eventually(
    async () => (await running.status())[0],
    (report) => report?.state === 'live' && report.lagEvents === 0,
  );

const allIsRight = async (count: number): Promise<void> => {
  expect(await rows('SELECT count(*)::int AS rows, sum(amount) AS sum FROM payments')).toEqual([
    { rows: count, sum: (count / 2).toFixed(2) },
  ]);
  expect(await rows('SELECT payments::int, amount FROM casino_totals')).toEqual([
    { payments: count, amount: (count / 2).toFixed(2) },
  ]);
  expect(await rows(`SELECT relname FROM pg_class WHERE relname LIKE '%rebuild' AND relkind = 'r'`)).toEqual([]);
  expect(await rows('SELECT name FROM projection_rebuilds')).toEqual([]);
};

/** A half-built table is seen by nobody: what is live has all of its rows and its own checkpoint. */
const allLive = async (): Promise<void> => {
  expect(await rows(`SELECT (SELECT count(*) FROM payments) = events AS agree FROM projection_checkpoints`)).toEqual([
    { agree: true },
  ]);
};

/** The connections of rebuilds; with what they wait for. */
const rebuilders = () =>
  rows(`SELECT pid, wait_event_type AS waits, query FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'projection rebuild payments'`);

const payUntil = async (over: AbortSignal): Promise<number> => {
  for (let nth = 1; ; nth++) {
    await append(`deposit-${nth}`, 2);
    if (over.aborted) return nth * 2;
    await delay(Math.random() * 10);
  }
};

/** Connections of owners and of rebuilds; gives how many rebuilds were among them. */
const killSome = async (): Promise<number> => {
  const killed = await rows(`WITH them AS MATERIALIZED (
      SELECT pid, application_name LIKE '% rebuild %' AS rebuilds FROM pg_stat_activity
      WHERE datname = current_database() AND application_name ~ '^projection (rebuild )?payments' AND random() < 0.5)
    SELECT rebuilds FROM them WHERE pg_terminate_backend(pid)`);
  return killed.filter(({ rebuilds }) => rebuilds).length;
};

describe('A rebuild whose instance is killed', () => {
  it('while it fills its tables: another one goes on where it was', async () => {
    const other = startOther();
    await append('deposit-1', PAID);
    const before = await rows('SELECT * FROM payments ORDER BY id');
    await askForRebuild();
    await eventually(
      () => rows('SELECT events::int FROM projection_rebuilds'),
      ([row]) => Number(row?.events) > 20,
    );
    await kill(other);
    const [left] = await rows('SELECT events::int FROM projection_rebuilds');
    expect(left?.events).toBeLessThan(PAID);
    await allLive();
    expect(await rows('SELECT * FROM payments ORDER BY id')).toEqual(before);

    const running = ground.startAll([PAYMENTS_AND_TABLES]);
    await untilDone(running);
    const said = ground.lines.find(({ message }) => message.startsWith('rebuilds projection'));
    expect(said?.fields).toMatchObject({ events: left?.events });
    await append('deposit-2', 4);
    await allIsRight(PAID + 4);
    await running.stop();
  });

  it('while its tables change places: nothing has changed, and another one does it', async () => {
    const other = startOther();
    await append('deposit-1', 20);
    const reader = await ground.pool.connect();
    await reader.query('BEGIN; SELECT FROM casino_totals');
    await askForRebuild();
    await eventually(rebuilders, ([it]) => it?.waits === 'Lock' && String(it.query).startsWith('LOCK TABLE'));
    await kill(other);
    await allLive();

    const running = ground.startAll([PAYMENTS_AND_TABLES]);
    await append('deposit-2', 4);
    expect((await running.status())[0]).toMatchObject({ state: 'rebuilding' });
    await reader.query('ROLLBACK');
    reader.release();
    await untilDone(running);
    await allIsRight(24);
    await running.stop();
  });

  it('again and again, at any line, while deposits are paid', async () => {
    const pair = [ground.startAll([PAYMENTS_AND_TABLES], 3), ground.startAll([PAYMENTS_AND_TABLES], 30)] as const;
    await append('deposit-0', 300);
    const over = new AbortController();
    const paying = payUntil(over.signal);
    for (let rebuilds = 0; rebuilds < 40; ) {
      await pair[rebuilds % 2 ? 0 : 1].rebuild('payments');
      await delay(Math.random() * 60);
      rebuilds += await killSome();
    }
    over.abort();
    const paid = await paying;
    await untilDone(pair[0]);
    await allIsRight(300 + paid);
    for (const each of pair) await each.stop();
  }, 120_000);
});
