import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { databasePerFile } from '../../../test/support/with-database.ts';
import { upsertRow } from '../changes/row-change.ts';
import type { Projection } from '../projection.ts';
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

const database = databasePerFile(...groundTables);
let ground: Ground;
let running: Projections;

beforeAll(async () => {
  ground = database.closing(await openGround(database.url));
});

beforeEach(async () => {
  await ground.pool.query(`DROP TABLE IF EXISTS payments, casino_totals, applications;
    ALTER TABLE events DISABLE TRIGGER USER; TRUNCATE events, projection_checkpoints, projection_rebuilds; ${PAYMENTS}`);
});

afterEach(() => running.stop());

const start = (...projections: Parameters<Ground['startAll']>[0]): Projections => {
  running = ground.startAll(projections.length > 0 ? projections : [PAYMENTS_AND_TABLES]);
  return running;
};

const appendPayments = async (stream: string, ...amounts: readonly string[]) =>
  (
    await ground.log.append(
      stream,
      'no_stream',
      amounts.map((amount) => payment(amount)),
    )
  ).position;

const untilShown = async (position: Awaited<ReturnType<typeof appendPayments>>, id = payments): Promise<void> => {
  expect(await waitForPosition({ ...id, pool: ground.pool, position, withinMs: 5_000 })).toBe(true);
};

const reportOf = async () => (await running.status())[0];

const untilLive = () =>
  eventually(reportOf, (report) => report?.state === 'live' && !report.stopped && report.lagEvents === 0);

const rows = async (text: string): Promise<unknown[]> => (await ground.pool.query(text)).rows;

const contents = () =>
  Promise.all(['payments ORDER BY id', 'casino_totals ORDER BY casino'].map((table) => rows(`SELECT * FROM ${table}`)));

/** What an operator of the database would find under the names of the tables. */
const shape = () =>
  rows(`SELECT 'index' AS what, indexname AS name, indexdef AS is FROM pg_indexes WHERE tablename IN ('payments', 'casino_totals')
    UNION ALL SELECT 'constraint', conname, pg_get_constraintdef(oid) FROM pg_constraint
      WHERE conrelid IN ('payments'::regclass, 'casino_totals'::regclass)
    UNION ALL SELECT 'options', relname, relacl::text || coalesce(reloptions::text, '') FROM pg_class
      WHERE oid IN ('payments'::regclass, 'casino_totals'::regclass)
    ORDER BY 1, 2`);

const identity = async () => (await rows(`SELECT 'payments'::regclass::oid AS payments`))[0];

const leftOvers = () => rows(`SELECT relname FROM pg_class WHERE relname LIKE '%rebuild' AND relkind = 'r'`);

/** How often a switch has given up its place in line, since another reader would not let it in. */
const heldUp = (): number => ground.lines.filter(({ message }) => message.includes('a reader holds the tables')).length;

describe('A rebuild', () => {
  it('leaves the very same rows under the same names, in tables that are new', async () => {
    await ground.pool.query(`
      CREATE INDEX by_amount ON payments (amount DESC) WHERE amount > 1;
      CREATE INDEX "By Amount" ON payments (amount DESC) WHERE amount > 1;
      ALTER TABLE payments ADD CONSTRAINT once UNIQUE (id, amount), SET (fillfactor = 70);
      GRANT SELECT ON payments TO PUBLIC`);
    start();
    await untilShown(await appendPayments('deposit-1', '1.50', '2', '0.25'));
    const before = [await contents(), await shape()];
    const old = await identity();
    expect(await running.rebuild('payments')).toBe('started');
    await untilLive();
    expect([await contents(), await shape()]).toEqual(before);
    expect(await identity()).not.toEqual(old);
    expect(await leftOvers()).toEqual([]);
    expect(await rows(`SELECT reltuples FROM pg_class WHERE oid = 'payments'::regclass`)).toEqual([{ reltuples: 3 }]);
    await untilShown(await appendPayments('deposit-2', '7'));
    expect(await rows('SELECT payments, amount FROM casino_totals')).toEqual([{ payments: '4', amount: '10.75' }]);
  });

  it('mends rows that somebody has damaged by hand', async () => {
    start();
    await untilShown(await appendPayments('deposit-1', '1', '2'));
    const before = await contents();
    await ground.pool.query('DELETE FROM payments; UPDATE casino_totals SET amount = 99');
    const said = ground.lines.length;
    await running.rebuild('payments');
    await untilLive();
    expect(await contents()).toEqual(before);
    const told = ground.lines.slice(said).filter(({ level }) => level !== 'debug');
    expect(told).toMatchObject([{ level: 'info', message: expect.stringMatching(/ is rebuilt$/) }]);
  });

  it('works on an empty log too', async () => {
    start();
    await running.rebuild('payments');
    await untilLive();
    await untilShown(await appendPayments('deposit-1', '3'));
    expect(await rows('SELECT amount FROM payments')).toEqual([{ amount: '3' }]);
  });

  it('is one at a time for a name, and none for a name that nobody knows', async () => {
    start();
    await untilShown(await appendPayments('deposit-1', '1'));
    const reader = await ground.pool.connect();
    try {
      await reader.query('BEGIN; SELECT FROM payments');
      expect(await running.rebuild('payments')).toBe('started');
      expect(await running.rebuild('payments')).toBe('running');
      expect(await running.rebuild('nothing')).toBe('unknown');
      expect(await reportOf()).toMatchObject({ state: 'rebuilding', progress: expect.any(Number) });
    } finally {
      await reader.query('ROLLBACK');
      reader.release();
    }
    await untilLive();
    expect(await running.rebuild('payments')).toBe('started');
    await untilLive();
  });

  it('tells how far it is, of what is there to take', async () => {
    start();
    await untilShown(await appendPayments('deposit-1', '1', '2', '3', '4'));
    const reader = await ground.pool.connect();
    await reader.query('BEGIN; SELECT FROM payments');
    await running.rebuild('payments');
    expect(await eventually(reportOf, (report) => report?.progress === 1)).toMatchObject({
      name: 'payments',
      version: 1,
      state: 'rebuilding',
      lagEvents: 0,
      lagMs: 0,
      stopped: false,
      failure: null,
    });
    await reader.query('ROLLBACK');
    reader.release();
    expect(await untilLive()).toMatchObject({ state: 'live', progress: null });
  });

  it('keeps no reader waiting for a switch that another reader holds up', async () => {
    start();
    await untilShown(await appendPayments('deposit-1', '1'));
    const reader = await ground.pool.connect();
    await reader.query('BEGIN; SELECT FROM payments');
    await running.rebuild('payments');
    const begun = heldUp();
    let longestMs = 0;
    while (heldUp() < begun + 4) {
      const asked = performance.now();
      await rows('SELECT FROM payments');
      longestMs = Math.max(longestMs, performance.now() - asked);
    }
    expect(longestMs).toBeLessThan(1_200);
    await untilShown(await appendPayments('deposit-2', '2'));
    await reader.query('ROLLBACK');
    reader.release();
    await untilLive();
  });
});

describe('A projection that poison has stopped', () => {
  it('lives again by a rebuild once its code is mended, on an instance that has run all the time', async () => {
    let isMended = false;
    const mended = {
      ...payments,
      project: (event: Parameters<typeof payments.project>[0]) =>
        isMended && event.data.amount === '-13' ? [] : payments.project(event),
    };
    start({ projection: mended, tables: PAYMENTS_AND_TABLES.tables });
    await appendPayments('deposit-1', '1', '-13', '2');
    expect(await eventually(reportOf, (report) => report?.stopped === true)).toMatchObject({
      lagEvents: 2,
      failure: { event: { revision: 1 } },
    });
    isMended = true;
    expect(await running.rebuild('payments')).toBe('started');
    expect(await untilLive()).toMatchObject({ stopped: false, failure: null });
    await untilShown(await appendPayments('deposit-2', '4'));
    expect(await rows('SELECT payments, amount FROM casino_totals')).toEqual([{ payments: '3', amount: '7' }]);
  });

  it('stays as it is when the rebuild meets the same poison: that is said, and no half-built table stays', async () => {
    start();
    await appendPayments('deposit-1', '1', '-13');
    await eventually(reportOf, (report) => report?.stopped === true);
    await running.rebuild('payments');
    await eventually(reportOf, (report) => report?.state === 'live');
    expect(await rows('SELECT state FROM projection_rebuilds')).toEqual([{ state: 'failed' }]);
    expect(await leftOvers()).toEqual([]);
    expect(await rows('SELECT amount FROM payments')).toEqual([{ amount: '1' }]);
    expect(await running.rebuild('payments')).toBe('started');
  });
});

describe('A table that cannot be made a second time', () => {
  it.each([
    [
      'a trigger',
      'CREATE TRIGGER t BEFORE UPDATE ON payments FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
    ],
    ['a sequence', 'ALTER TABLE payments ADD COLUMN nth bigserial'],
    ['an identity', 'ALTER TABLE payments ADD COLUMN nth bigint GENERATED ALWAYS AS IDENTITY'],
    ['a foreign key', 'CREATE TABLE pays (id uuid REFERENCES payments)'],
    ['a view', 'CREATE VIEW seen AS SELECT * FROM payments'],
  ])('fails the rebuild and leaves the live one alone: %s', async (_, statement) => {
    await ground.pool.query(statement);
    start();
    await untilShown(await appendPayments('deposit-1', '1'));
    await running.rebuild('payments');
    const report = await eventually(reportOf, (each) => each?.failure !== null);
    expect(report).toMatchObject({
      state: 'live',
      stopped: false,
      failure: { reason: expect.stringMatching(/table payments has/) },
    });
    expect(await leftOvers()).toEqual([]);
    await untilShown(await appendPayments('deposit-2', '1'));
    await ground.pool.query('DROP VIEW IF EXISTS seen; DROP TABLE IF EXISTS pays');
  });

  it('is one that nobody has named: the projection stops at once and not at its first rebuild', async () => {
    start({ projection: payments, tables: ['payments'] });
    await appendPayments('deposit-1', '1');
    expect(await eventually(reportOf, (report) => report?.stopped === true)).toMatchObject({
      failure: { reason: expect.stringMatching(/casino_totals is written but not among/) },
    });
  });
});

describe('A new version of a projection', () => {
  const second = {
    projection: {
      ...payments,
      version: 2,
      project: (event: Parameters<typeof payments.project>[0]) => payments.project(event).slice(0, 1),
    },
    tables: PAYMENTS_AND_TABLES.tables,
  };

  it('is filled beside the old one, which then has no tables any more', async () => {
    start();
    await untilShown(await appendPayments('deposit-1', '1', '2'));
    const first = running;
    start(second);
    await untilShown(await appendPayments('deposit-2', '3'), second.projection);
    expect(await rows('SELECT count(*) FROM payments')).toEqual([{ count: '3' }]);
    expect(await rows('SELECT * FROM casino_totals')).toEqual([]);
    await untilShown(await appendPayments('deposit-3', '4'), second.projection);
    expect(await rows('SELECT version, state FROM projection_checkpoints ORDER BY version')).toEqual([
      { version: 1, state: 'retired' },
      { version: 2, state: 'running' },
    ]);
    expect(await rows('SELECT * FROM casino_totals')).toEqual([]);
    await first.stop();
  });

  it('asks for no second filling while the first one lets the tables change places', async () => {
    start();
    await untilShown(await appendPayments('deposit-1', '1'));
    await running.stop();
    const switching = await ground.pool.connect();
    await switching.query("BEGIN; SELECT FROM projection_checkpoints WHERE name = 'payments' FOR UPDATE");
    start(second);
    await eventually(
      () => rows("SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"),
      (waiting) => waiting.length > 0,
    );
    await switching.query(
      `INSERT INTO projection_checkpoints (name, version, position, events)
         SELECT name, 2, position, events FROM projection_checkpoints WHERE name = 'payments';
       UPDATE projection_checkpoints SET state = 'retired' WHERE name = 'payments' AND version = 1;
       COMMIT`,
    );
    switching.release();
    await untilShown(await appendPayments('deposit-2', '2'), second.projection);
    expect(await rows('SELECT name FROM projection_rebuilds')).toEqual([]);
  });

  it('gives the tables back to the old one when an operator asks for that', async () => {
    start();
    await untilShown(await appendPayments('deposit-1', '1'));
    await running.stop();
    start(second);
    await untilShown(await appendPayments('deposit-2', '2'), second.projection);
    await running.stop();
    start();
    expect(await running.rebuild('payments')).toBe('started');
    await untilShown(await appendPayments('deposit-3', '3'));
    expect(await rows('SELECT payments FROM casino_totals')).toEqual([{ payments: '3' }]);
  });
});

describe('What is refused when it is written together', () => {
  /** Two spellings of one key are two rows for whoever gathers changes, and one for the database. */
  const odd: Projection = {
    name: 'odd',
    version: 1,
    proves: { prefix: 'odd-' },
    project: ({ stream, data }) =>
      stream.startsWith('odd-') ? [upsertRow('odd_rows', { amount: String(data.amount) }, { stream })] : [],
  };

  const untilRebuilt = async (): Promise<void> => {
    expect(await running.rebuild('odd')).toBe('started');
    await eventually(
      () => rows('SELECT FROM projection_rebuilds'),
      (left) => left.length === 0,
    );
  };

  it('is taken event by event, and what was read ahead of it anew: damage in that is not forgotten', async () => {
    await ground.pool.query(`DROP TABLE IF EXISTS odd_rows; TRUNCATE projection_damage;
      CREATE TABLE odd_rows (amount numeric PRIMARY KEY, stream text NOT NULL)`);
    running = ground.startAll([{ projection: odd, tables: ['odd_rows'] }], 2);
    await appendPayments('odd-1', '1.0', '1.00');
    await appendPayments('odd-2', '2', '3');
    await untilShown(await appendPayments('odd-3', '4', '5'), odd);
    await ground.pool.query(`UPDATE events SET data = replace(data, '"2"', '"9"') WHERE stream = 'odd-2'`);
    await untilRebuilt();
    expect(await rows('SELECT amount::text, stream FROM odd_rows ORDER BY amount')).toEqual([
      { amount: '1.0', stream: 'odd-1' },
      { amount: '4', stream: 'odd-3' },
      { amount: '5', stream: 'odd-3' },
    ]);
    expect((await running.statusOf('odd'))?.damage).toEqual([
      expect.objectContaining({ stream: 'odd-2', revision: 0 }),
    ]);
    expect(ground.lines.some(({ message }) => message.startsWith('a batch of a rebuild was refused'))).toBe(true);
  });
});
