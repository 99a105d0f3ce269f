import { setTimeout as delay } from 'node:timers/promises';
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
import { differencesIn } from './differences.ts';

const database = databasePerFile(...groundTables);
let ground: Ground;
let running: Projections;

beforeAll(async () => {
  ground = database.closing(await openGround(database.url));
});

beforeEach(async () => {
  await ground.pool.query(`DROP TABLE IF EXISTS applications, payments, casino_totals, payments_rebuild, casino_totals_rebuild;
    ALTER TABLE events DISABLE TRIGGER USER;
    TRUNCATE events, projection_checkpoints, projection_rebuilds, projection_checks, projection_skips; ${PAYMENTS}`);
  running = ground.startAll([PAYMENTS_AND_TABLES], 50);
});

afterEach(() => running.stop());

const rows = async (text: string): Promise<Record<string, unknown>[]> => (await ground.pool.query(text)).rows;

const append = async (stream: string, ...amounts: readonly string[]) => {
  const events = amounts.map((amount) => payment(amount));
  const { position } = await ground.log.append(stream, 'no_stream', events);
  return { position, events };
};

const paid = async (stream: string, ...amounts: readonly string[]): Promise<void> => {
  const { position } = await append(stream, ...amounts);
  expect(await waitForPosition({ ...payments, pool: ground.pool, position, withinMs: 5_000 })).toBe(true);
};

const leftOvers = () => rows(`SELECT relname FROM pg_class WHERE relname LIKE '%rebuild' AND relkind = 'r'`);

const reportOf = () => running.statusOf('payments');
const untilHeld = () => eventually(reportOf, (report) => report?.rebuild?.held === true);
const untilOver = () => eventually(reportOf, (report) => report?.state === 'live');

const damage = `UPDATE payments SET amount = 77 WHERE amount = 2; DELETE FROM payments WHERE amount = 3;
  INSERT INTO payments VALUES ('11111111-1111-4111-8111-111111111111', 9)`;

const found = {
  tables: [
    { table: 'payments', missing: 1, extra: 1, changed: 1 },
    { table: 'casino_totals', missing: 0, extra: 0, changed: 0 },
  ],
};

const kinds = (check: Awaited<ReturnType<Projections['differences']>>) =>
  typeof check === 'string' ? check : check.rows.map(({ kind, fields }) => [kind, fields.amount]).sort();

describe('a rebuild in mode check', () => {
  it('finds nothing where nothing was changed, and leaves nothing', async () => {
    await paid('deposit-1', '1', '2', '3');
    expect(await running.differences('payments')).toBe('none');
    expect(await running.rebuild('payments', { mode: 'check' })).toBe('started');
    await untilOver();
    expect(await running.differences('payments')).toMatchObject({
      tables: [{ missing: 0, extra: 0, changed: 0 }, { changed: 0 }],
      rows: [],
    });
    expect([await leftOvers(), await rows('SELECT FROM projection_rebuilds')]).toEqual([[], []]);
  });

  it('names what is missing, extra and changed, and leaves the live rows as they are', async () => {
    await paid('deposit-1', '1', '2', '3');
    await ground.pool.query(damage);
    const before = await rows('SELECT * FROM payments ORDER BY id');
    await running.rebuild('payments', { mode: 'check' });
    await untilOver();
    const check = await running.differences('payments');
    expect(check).toMatchObject(found);
    expect(kinds(check)).toEqual([
      ['changed', { live: '77', rebuilt: '2' }],
      ['extra', { live: '9', rebuilt: null }],
      ['missing', { live: null, rebuilt: '3' }],
    ]);
    expect(await rows('SELECT * FROM payments ORDER BY id')).toEqual(before);
    expect(await leftOvers()).toEqual([]);
  });

  it('compares both sides at one position while payments go on', async () => {
    const over = new AbortController();
    const paying = (async () => {
      for (let nth = 1; !over.signal.aborted; nth++) await append(`deposit-${nth}`, '1', '2');
      return undefined;
    })();
    for (let nth = 0; nth < 5; nth++) {
      await running.rebuild('payments', { mode: 'check' });
      await untilOver();
      expect(await running.differences('payments')).toMatchObject({
        tables: [{ missing: 0, extra: 0, changed: 0 }, {}],
      });
    }
    over.abort();
    await paying;
  }, 60_000);
});

describe('a rebuild in mode hold', () => {
  it('waits when it is complete, switches when told to, and mends the rows', async () => {
    await paid('deposit-1', '1', '2', '3');
    await ground.pool.query(damage);
    expect(await running.switch('payments')).toBe('not_held');
    await running.rebuild('payments', { mode: 'hold' });
    await untilHeld();
    expect(await running.differences('payments')).toMatchObject(found);
    expect(await running.rebuild('payments')).toBe('running');
    await paid('deposit-2', '4');
    expect(await rows(`SELECT amount FROM payments WHERE amount = 77`)).toHaveLength(1);
    expect(await running.switch('payments')).toBe('switching');
    await untilOver();
    expect(await rows('SELECT amount FROM payments ORDER BY amount')).toEqual(
      ['1', '2', '3', '4'].map((amount) => ({ amount })),
    );
    expect(await running.switch('payments')).toBe('not_held');
    expect(await leftOvers()).toEqual([]);
  });

  it('is cancelled, while it fills and when it waits, and nothing is left', async () => {
    expect(await running.cancel('payments')).toBe('none');
    await paid('deposit-1', ...Array.from({ length: 500 }, () => '1'));
    const before = await rows('SELECT * FROM payments ORDER BY id');
    await running.rebuild('payments', { mode: 'hold' });
    expect(await running.cancel('payments')).toBe('cancelling');
    await untilOver();
    await running.rebuild('payments', { mode: 'hold' });
    await untilHeld();
    expect(await running.cancel('payments')).toBe('cancelling');
    await untilOver();
    expect([await leftOvers(), await rows('SELECT FROM projection_rebuilds')]).toEqual([[], []]);
    expect(await rows('SELECT * FROM payments ORDER BY id')).toEqual(before);
  });

  it('tells who owns the projection, and how far the rebuild is', async () => {
    await paid('deposit-1', '1', '2');
    await running.rebuild('payments', { mode: 'hold' });
    expect(await untilHeld()).toMatchObject({
      owner: { since: expect.stringMatching(/Z$/) },
      rebuild: { mode: 'hold', held: true, events: 2, total: 2 },
    });
    await running.cancel('payments');
    await untilOver();
  });
});

/** Connections of owners, rebuilds and comparisons, at whatever line they are. */
const killSome = async (): Promise<number> => {
  const killed = await rows(`WITH them AS MATERIALIZED (SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND application_name ~ '^projection (rebuild |check )?payments' AND random() < 0.5)
    SELECT FROM them WHERE pg_terminate_backend(pid)`);
  return killed.length;
};

it('what was asked for ends, and leaves nothing, whatever is killed meanwhile', async () => {
  await paid('deposit-1', ...Array.from({ length: 300 }, () => '1'));
  const before = await rows('SELECT * FROM payments ORDER BY id');
  for (let killed = 0, round = 0; killed < 20; round++) {
    await running.rebuild('payments', { mode: round % 2 ? 'check' : 'hold' });
    for (let nth = 0; nth < 4; nth++) {
      await delay(Math.random() * 40);
      killed += await killSome();
      expect(await rows('SELECT * FROM payments ORDER BY id')).toEqual(before);
    }
    if (round % 2 === 0) {
      await eventually(reportOf, (report) => report?.rebuild?.held === true);
      await (round % 4 ? running.switch : running.cancel)('payments');
      killed += await killSome();
    }
    await eventually(reportOf, (report) => report?.state === 'live');
    expect([await leftOvers(), await rows('SELECT FROM projection_rebuilds')]).toEqual([[], []]);
    expect(await rows('SELECT * FROM payments ORDER BY id')).toEqual(before);
  }
}, 120_000);

describe('the name of no projection', () => {
  it('is unknown to all of it', async () => {
    expect(await running.statusOf('nothing')).toBeUndefined();
    expect(await running.differences('nothing')).toBe('unknown');
    expect(await running.switch('nothing')).toBe('unknown');
    expect(await running.cancel('nothing')).toBe('unknown');
    expect(await running.skip('nothing', { eventId: 'x', reason: 'y' })).toBe('unknown');
  });
});

describe('an event that stops a projection', () => {
  it('is passed over once an operator says so, here and in every rebuild', async () => {
    await paid('deposit-1', '1');
    const { events } = await append('deposit-2', '-5');
    const eventId = events[0]?.id ?? '';
    await eventually(reportOf, (report) => report?.stopped === true);
    expect(await running.skip('payments', { eventId: crypto.randomUUID(), reason: 'another' })).toBe('not_stopped');
    expect(await running.skip('payments', { eventId, reason: 'agreed with finance' })).toBe('skipped');
    await paid('deposit-3', '2');
    expect(await reportOf()).toMatchObject({ stopped: false, failure: null });
    expect(await running.skip('payments', { eventId, reason: 'again' })).toBe('not_stopped');
    await running.rebuild('payments');
    expect(await untilOver()).toMatchObject({ failure: null });
    expect(await rows('SELECT amount FROM payments ORDER BY amount')).toEqual([{ amount: '1' }, { amount: '2' }]);
    expect(await rows('SELECT event_id, reason FROM projection_skips')).toEqual([
      { event_id: eventId, reason: 'agreed with finance' },
    ]);
  });
});

it('a table without a primary key cannot be compared', async () => {
  await ground.pool.query('CREATE TABLE IF NOT EXISTS loose (name text)');
  await expect(differencesIn(ground.pool, ['loose'])).rejects.toThrow('has no primary key');
});
