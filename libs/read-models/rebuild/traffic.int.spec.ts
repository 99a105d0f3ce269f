import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { databasePerFile } from '../../../test/support/with-database.ts';
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

const REBUILDS = 12;

const database = databasePerFile(...groundTables);
/** Two instances. */
let grounds: readonly [Ground, Ground];

beforeAll(async () => {
  const open = async () => database.closing(await openGround(database.url));
  grounds = [await open(), await open()];
  await grounds[0].pool.query(PAYMENTS);
});

/** Rows, kept totals and checkpoint in one look. */
const LOOK = `
  SELECT events::int, position, (SELECT count(*)::int FROM payments) AS rows,
    (SELECT sum(amount) FROM payments) AS sum,
    (SELECT sum(payments)::int FROM casino_totals) AS counted, (SELECT sum(amount) FROM casino_totals) AS total
  FROM projection_checkpoints WHERE name = 'payments'`;

const seen = { looks: 0, tables: new Set<number>() };

const read = async (name: string | undefined, over: AbortSignal): Promise<void> => {
  const client = new pg.Client(database.url);
  await client.connect();
  let last = { rows: 0, position: '' };
  while (!over.aborted) {
    const { rows } = await client.query(name === undefined ? LOOK : { name, text: LOOK });
    const now = rows[0];
    expect(now).toMatchObject({ events: now.rows, counted: now.rows, total: now.sum });
    expect(now.rows).toBeGreaterThanOrEqual(last.rows);
    expect(now.position >= last.position).toBe(true);
    last = now;
    seen.looks++;
  }
  await client.end();
};

/** Appends, waits as the partner interface does, and reads what it wrote; gives how much it wrote. */
const write = async (writer: number, over: AbortSignal): Promise<number> => {
  for (let nth = 0; ; nth++) {
    const { pool, log } = grounds[nth % 2 ? 0 : 1];
    const event = payment('0.10');
    const { position } = await log.append(`deposit-${writer}-${nth}`, 'no_stream', [event]);
    expect(await waitForPosition({ ...payments, pool, position, withinMs: 10_000 })).toBe(true);
    expect((await pool.query('SELECT amount FROM payments WHERE id = $1', [event.id])).rowCount).toBe(1);
    if (over.aborted) return nth + 1;
    await delay(Math.random() * 4);
  }
};

const tableId = async (): Promise<number> =>
  (await grounds[0].pool.query(`SELECT 'payments'::regclass::oid::int AS id`)).rows[0].id;

describe('Rebuilds while deposits are paid and partners read', () => {
  it('are seen by nobody: rows, totals and position agree at every look and never go back', async () => {
    const [first, second] = grounds.map((each) => each.startAll([PAYMENTS_AND_TABLES], 20));
    const { log, pool } = grounds[0];
    const { position } = await log.append(
      'deposit-before',
      'no_stream',
      Array.from({ length: 400 }, () => payment('1')),
    );
    expect(await waitForPosition({ ...payments, pool, position, withinMs: 10_000 })).toBe(true);

    const over = new AbortController();
    const readers = [undefined, undefined, 'look', 'look'].map((name) => read(name, over.signal));
    const writers = [1, 2, 3].map((writer) => write(writer, over.signal));
    const rebuildAll = async (): Promise<void> => {
      for (let nth = 0; nth < REBUILDS; nth++) {
        seen.tables.add(await tableId());
        const outcomes = await Promise.all([first?.rebuild('payments'), second?.rebuild('payments')]);
        expect(outcomes.sort()).toEqual(['running', 'started']);
        await eventually(
          async () => (await first?.status())?.[0],
          (report) => report?.state === 'live',
        );
      }
    };
    const ended = Promise.all([...readers, ...writers]);
    await Promise.race([rebuildAll(), ended]).finally(() => over.abort());
    const wrote = (await Promise.all(writers)).reduce((sum, each) => sum + each, 400);
    await ended;
    expect((await pool.query(LOOK)).rows).toMatchObject([{ rows: wrote, events: wrote, counted: wrote }]);
    expect(seen.tables.size).toBe(REBUILDS);
    expect(seen.looks).toBeGreaterThan(100);
    expect((await first?.status())?.[0]).toMatchObject({ stopped: false, failure: null });
  }, 120_000);
});
