import { expect, it } from '@jest/globals';
import type pg from 'pg';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { tell } from './rows/outbox.ts';
import type { RawSignal } from './signals.ts';

const database = databasePerTest(migrations);

const CROWD = 2_000;

const crowdOf = (count: number, deposits = 1): readonly RawSignal[] =>
  Array.from({ length: count }, (_, nth) => ({ signal_id: String(nth), deposit_id: nth % deposits }));

/** As a release adds them that knows nothing of turns, one after the other. */
const tellEach = async (db: pg.PoolClient, signals: readonly RawSignal[]): Promise<void> => {
  for (const signal of signals) await db.query("INSERT INTO chain_outbox (chain, signal) VALUES ('BTC', $1)", [signal]);
};

const tellAtOnce = (db: pg.PoolClient, signals: readonly RawSignal[]): Promise<void> => tell(db, 'BTC', signals);

/** How many rows of the outbox, and of its indexes, were looked at in this transaction. */
const lookedAt = async (db: pg.PoolClient): Promise<number> => {
  const { rows } = await db.query<{ n: number }>(
    `SELECT pg_stat_get_xact_tuples_returned('chain_outbox'::regclass) +
       (SELECT sum(pg_stat_get_xact_tuples_returned(indexrelid)) FROM pg_index
        WHERE indrelid = 'chain_outbox'::regclass)::bigint AS n`,
  );
  return rows[0]?.n ?? 0;
};

/** As it is nearly always: all was sent, and whoever keeps plans has kept those of then. */
const emptied = async (db: pg.PoolClient): Promise<void> => {
  await tellEach(db, crowdOf(20));
  await tellAtOnce(db, crowdOf(20));
  await db.query('DELETE FROM chain_outbox');
  await db.query('VACUUM ANALYZE chain_outbox');
};

const inOne = async (work: (db: pg.PoolClient) => Promise<void>): Promise<void> => {
  const db = await database.pool.connect();
  try {
    await emptied(db);
    await db.query('BEGIN');
    await work(db);
    await db.query('COMMIT');
  } finally {
    db.release(true);
  }
};

it.each([
  ['one after the other', tellEach, 1],
  ['one after the other, of twelve', tellEach, 12],
  ['at once', tellAtOnce, 1],
  ['at once, of twelve', tellAtOnce, 12],
] as const)('a crowd that is told %s is not looked through for each of it', async (_, tellAll, deposits) => {
  await inOne(async (db) => {
    await tellAll(db, crowdOf(20, deposits));
    await tellAll(db, crowdOf(CROWD, deposits));
    expect(await lookedAt(db)).toBeLessThan(3 * CROWD);
  });
});

it('nor is a crowd that was sent, which the index has until nobody can see it any more', async () => {
  await tell(database.pool, 'BTC', crowdOf(CROWD));
  const onlooker = await database.pool.connect();
  await onlooker.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await onlooker.query('SELECT count(*) FROM chain_outbox');
  await database.pool.query('DELETE FROM chain_outbox');
  const db = await database.pool.connect();
  await db.query('BEGIN');
  await tell(db, 'BTC', crowdOf(CROWD));
  const looked = await lookedAt(db);
  await db.query('COMMIT');
  await onlooker.query('COMMIT');
  db.release();
  onlooker.release();
  expect(looked).toBeLessThan(10 * CROWD);
});

it('each of one that is told at once, or one after the other, has a turn a second behind the one before', async () => {
  await inOne(async (db) => {
    await tellAtOnce(db, crowdOf(600, 2));
    await tellEach(db, crowdOf(4, 2));
    await tellAtOnce(db, crowdOf(6, 2));
  });
  const { rows } = await database.pool.query<{ subject: string; seconds: number[] }>(
    `SELECT subject, array_agg(extract(epoch FROM turn_at - made_at)::int ORDER BY id) AS seconds FROM chain_outbox
     GROUP BY subject ORDER BY subject`,
  );
  const seconds = Array.from({ length: 305 }, (_, nth) => nth);
  expect(rows).toEqual([
    { subject: 'deposit 0', seconds },
    { subject: 'deposit 1', seconds },
  ]);
});
